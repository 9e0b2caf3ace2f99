import sys

import numpy as np
import pytest

from hebb_lab.errors import ConfigError
from hebb_lab.memory.reflection.insight import checked_insights
from hebb_lab.memory.reflection.provider import (
    WriterError,
    command_writer,
    function_writer,
    request,
)
from tests.memory.reflection.made import made_sources

HERE = "tests.memory.reflection.test_provider"
SOURCES = made_sources(["Sailing.", "Rowing."], np.eye(2, dtype=np.float32), entity="ada")


def counts_them(asked):
    return {"insights": [{"text": f"{len(asked['memories'])} trips", "confidence": 0.5}]}


def python(code):
    return [sys.executable, "-c", f"import json, sys; asked = json.load(sys.stdin); {code}"]


def test_a_writer_outside_gets_contents_contexts_and_the_entity():
    memories = [{"content": "Sailing.", "context": {}}, {"content": "Rowing.", "context": {}}]
    assert request(SOURCES) == {"entity": "ada", "memories": memories}


def test_a_function_is_found_by_its_name():
    answer = function_writer(f"{HERE}:counts_them")(SOURCES)
    assert checked_insights(answer, 2).insights[0].text == "2 trips"


@pytest.mark.parametrize("name", ["no_such_module:f", f"{HERE}:no_such", "nothing", "", f"{HERE}:"])
def test_a_function_that_is_not_there_is_named_with_a_cure(name):
    with pytest.raises(ConfigError, match="module:function"):
        function_writer(name)


def test_what_is_no_function_is_refused():
    with pytest.raises(ConfigError, match="no function"):
        function_writer(f"{HERE}:HERE")


def test_a_command_gets_json_and_gives_json():
    told = "print(json.dumps([{'text': asked['memories'][1]['content'], 'confidence': 1}]))"
    answer = command_writer(python(told))(SOURCES)
    assert checked_insights(answer, 2).insights[0].text == "Rowing."


def test_a_command_that_fails_says_how():
    with pytest.raises(WriterError, match="ended with 3: no model"):
        command_writer(python("sys.exit(print('no model', file=sys.stderr) or 3)"))(SOURCES)


def test_a_command_that_says_no_json_is_an_error():
    with pytest.raises(WriterError, match="JSON"):
        command_writer(python("print('I think that')"))(SOURCES)


def test_a_command_that_hangs_is_ended():
    with pytest.raises(WriterError, match=r"no answer in 0\.5 s"):
        command_writer(python("import time; time.sleep(60)"), timeout_s=0.5)(SOURCES)


def test_a_command_that_is_not_there_is_an_error_of_its_cluster():
    with pytest.raises(WriterError, match="cannot be run"):
        command_writer(["no-such-program-anywhere"])(SOURCES)


@pytest.mark.parametrize("command", ["echo []", [], ["echo", 3]])
def test_what_is_no_command_is_refused(command):
    with pytest.raises(ConfigError, match="Give a list"):
        command_writer(command)


def test_no_shell_reads_the_arguments():
    told = "print(json.dumps([{'text': sys.argv[1], 'confidence': 1}]))"
    answer = command_writer([*python(told), "$HOME; echo"])(SOURCES)
    assert answer[0]["text"] == "$HOME; echo"
