"""Which implementation runs."""

import logging

import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.kernels.choose import choose_backend


def test_auto_takes_the_processor_and_says_so(caplog):
    with caplog.at_level(logging.INFO, "hebb_lab"):
        assert choose_backend().name == "cpu"
    assert "the processor (cpu)" in caplog.text


def test_an_unknown_back_end_lists_the_near_ones():
    with pytest.raises(ConfigError, match=r"unknown back end 'cpo'\. Did you mean 'cpu'"):
        choose_backend("cpo")


def test_an_unknown_device_lists_the_known_ones():
    with pytest.raises(ConfigError, match="Use auto, cpu or cuda"):
        choose_backend(device="gpu")


def test_a_device_that_no_back_end_runs_on_is_refused_not_replaced():
    with pytest.raises(ConfigError, match=r"no CUDA back end.*runtime\.device=auto"):
        choose_backend(device="cuda")
