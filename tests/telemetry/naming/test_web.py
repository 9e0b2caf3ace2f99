"""A web address in a log becomes a node without anything secret in it."""

import pytest

from hebb_lab.telemetry.naming.web import web_node


@pytest.mark.parametrize(
    "url",
    [
        "https://me:hunter2@example.org/a/b?token=abc#part",
        "https://example.org/a/b?X-Amz-Signature=abc",
        "https://EXAMPLE.org/a/b",
    ],
)
def test_user_query_and_fragment_are_left_out(url):
    assert web_node(url) == ("https://example.org/a/b", "url")


@pytest.mark.parametrize("value", ["no address", "", None, 7, "http://[broken", {"url": "x"}])
def test_what_is_no_address_is_no_node(value):
    assert web_node(value) is None
