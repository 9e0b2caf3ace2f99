"""What a Parquet file says of itself."""

import polars as pl

from hebb_lab.telemetry.parquet import PARQUET_MAGIC, parquet_columns


def test_a_whole_file_gives_its_columns_and_a_cut_one_none(tmp_path):
    path = tmp_path / "touches.parquet"
    pl.DataFrame({"node": ["a"], "turn": [3]}).write_parquet(path)
    assert parquet_columns(path) == {"node": pl.String(), "turn": pl.Int64()}
    whole = path.read_bytes()
    assert whole.startswith(PARQUET_MAGIC)
    path.write_bytes(whole[: len(whole) // 2])
    assert parquet_columns(path) == {}
    assert parquet_columns(tmp_path / "absent.parquet") == {}
