import pytest

from hebb_lab.telemetry.naming import Node, shell_touches

FILES = {name: Node(name, "file") for name in ("a.py", "src/b.py", "c.md", "my file.txt")}


@pytest.mark.parametrize(
    ("command", "touches"),
    [
        ("cat a.py src/b.py", [("read", "a.py"), ("read", "src/b.py")]),
        ("sed -n '1,20p' a.py | head -5", [("read", "a.py")]),
        ("sed -i 's/a.py/x/' src/b.py", [("edit", "src/b.py")]),
        ("rg -n 'x y' src/b.py:12:3", [("search", "src/b.py")]),
        ("git show main:a.py", [("exec", "a.py")]),
        ("git mv a.py src/b.py", [("edit", "a.py"), ("edit", "src/b.py")]),
        ("cd x && rm -f a.py; ls c.md", [("delete", "a.py"), ("list", "c.md")]),
        ("echo hi >> c.md 2>&1", [("write", "c.md")]),
        ("cat c.md > a.py", [("read", "c.md"), ("write", "a.py")]),
        ("cat a.py && sed -i x a.py && cat a.py", [("edit", "a.py")]),
        ("FOO=1 sudo cat a.py", [("read", "a.py")]),
        ("python -m pytest --file=a.py -a.py", [("exec", "a.py")]),
        ("make FILES={a.py,c.md}", [("exec", "a.py"), ("exec", "c.md")]),
        (
            "cat <<'EOF' > c.md\nsee a.py\nEOF\ncat src/b.py",
            [("write", "c.md"), ("read", "src/b.py")],
        ),
        ("cat <<<x a.py\ncat c.md", [("read", "a.py"), ("read", "c.md")]),
        ("echo $((1<<4)) \ncat c.md", [("read", "c.md")]),
        ("cat <<EOF\na.py and no end", []),
        ("ls nothing.py", []),
        ("", []),
    ],
)
def test_only_known_files_count_and_the_change_wins(command, touches):
    assert [(op, node.name) for op, node in shell_touches(command, FILES.get)] == touches


def test_a_huge_word_is_not_looked_up():
    asked = []
    shell_touches("x" * 5000 + " a.py", lambda word: asked.append(word))
    assert asked == ["a.py"]
