"""How fast should memory fade? Half-life models, fitted to replayed telemetry and held to account.

`facts`: a graph's reinforcements as a point process; `signals`: weights that fade, at any moment;
`objectives`: likelihoods and what they say of a half-life; `models` and `baselines`: one file each.
"""
