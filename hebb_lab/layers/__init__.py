"""The experiment on the layers of the cognitive graph: what does each one add?"""
