import pytest

from hebb_lab.telemetry.readers.claude_code_tools import _MENTION, _without_secrets


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://a.org/x?key=1#f", "https://a.org/x"),
        ("https://me:pw@a.org:8080/x", "https://a.org/x"),
        ("https://a.org", "https://a.org"),
        ("https://[bad", None),
        ("no address", None),
        (None, None),
    ],
)
def test_a_web_address_loses_what_may_be_secret(url, kept):
    assert _without_secrets(url) == kept


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("look at @src/a.py, and @b.md.", ["src/a.py", "b.md."]),
        ('@"my file.md" @C\\b.py', ["my file.md", "C\\b.py"]),
        ("me@host.org npm i @@x", []),
        ("(@a.py)", ["a.py"]),
    ],
)
def test_mentions_are_words_behind_an_at_sign(prompt, words):
    assert [quoted or plain for quoted, plain in _MENTION.findall(prompt)] == words
