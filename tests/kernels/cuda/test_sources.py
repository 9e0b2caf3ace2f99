"""One text a module, each header once, with the compilers' options."""

import re

import pytest

from hebb_lab.kernels.cuda.sources import SOURCE, compiler_options, kernels_of, modules, text_of


@pytest.mark.parametrize("module", modules())
def test_a_module_is_one_text_that_holds_each_header_once(module):
    text = text_of(module)
    assert "#include" not in text
    assert text.count("typedef REAL real;") == 1
    assert f'#line 1 "{module}.cu"' in text
    assert kernels_of(module)


def test_the_line_behind_a_header_has_the_number_that_it_has_in_its_file():
    lines = (SOURCE / "spread.cu").read_text().splitlines()
    number = max(n for n, line in enumerate(lines, 1) if line.startswith("#include")) + 1
    assert f'#line {number} "spread.cu"\n{lines[number - 1]}\n' in text_of("spread")


def test_kernels_of_different_modules_have_different_names():
    names = [kernel for module in modules() for kernel in kernels_of(module)]
    assert len(names) == len(set(names))


def test_weights_are_stored_in_the_precision_that_is_asked_for():
    assert "-DREAL=double" in compiler_options("float64")
    assert "-DREAL=float" in compiler_options("float32")


def test_lines_fit_the_page_and_every_file_says_what_it_is_for():
    for path in SOURCE.iterdir():
        lines = path.read_text().splitlines()
        assert max(map(len, lines)) <= 100, path.name
        assert lines[0].startswith("// "), path.name
        assert len(lines) <= 250, path.name
        assert not re.search(r"\t", path.read_text()), path.name
