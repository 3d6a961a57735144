"""Options are read as they are written, and what cannot be followed is said in one line."""
from __future__ import annotations

import pytest

import tangent_nb
from tangent_nb.notebook.options import EVERY, OptionError, Options, make, parse, parse_wrt, parser


def test_defaults() -> None:
    assert parse("") == (Options(), None)
    assert parse("", "%grad") == (Options(), None)
    assert Options().optimized is True and make(raw=True).optimized is False


def test_every_flag() -> None:
    first, last = tangent_nb.PASSES[0], tangent_nb.PASSES[-1]
    options, _ = parse(f"-f loss -w x,w1 -m forward -O {last},{first} -n g --at 'x=2.0, n=3' --check -q")
    assert options == Options("loss", ("x", "w1"), "forward", tuple(dict.fromkeys((first, last))), "g", "x=2.0, n=3",
                              True, True)
    assert options.optimized == tuple(dict.fromkeys((first, last)))
    long, _ = parse(f"--function loss --wrt x,w1 --mode forward --passes {first},{last} --name g --at 'x=2.0, n=3' "
                    "--check --quiet")
    assert long == options


def test_parameters() -> None:
    for text, wrt in {"x": "x", "x,y": ("x", "y"), " x , y ": ("x", "y"), "x,": ("x",), "0": 0, "-1": -1,
                      "0,y": (0, "y"), "*": EVERY}.items():
        assert parse_wrt(text) == wrt
    assert parse("-w '*'")[0].wrt == EVERY and parse("-w -1")[0].wrt == -1
    assert parse_wrt(("x, y", 2)) == ("x", "y", 2)
    for wrong in ("x y", "x;y", "1.5", "", "x,,y", "*,x", "__import__('os')"):
        with pytest.raises(OptionError, match="neither the name nor the position"):
            parse_wrt(wrong)


def test_quotes_of_arguments_and_comments() -> None:
    assert parse("""--at "s='a b', x={'k': [1, 2]}" """)[0].at == "s='a b', x={'k': [1, 2]}"
    assert parse("--at x=2.0")[0].at == "x=2.0"
    assert parse("-w x  # by x")[0].wrt == "x"


def test_the_target_of_the_line_magic() -> None:
    assert parse("model.loss -w x --raw", "%grad")[1] == "model.loss"
    assert parse("-w x model.loss", "%grad")[1] == "model.loss"


@pytest.mark.parametrize("line, message", [
    ("-m backward", "not 'backward'"),
    ("-c jti", "-c is jit"), ("-c jit --nan", "leave -c out"),
    ("-m forwrad", "did you mean forward?"),
    ("--tape checkpointed", "the tape is sampled, not 'checkpointed'"),
    ("--tape sampled", "how much to keep"),
    ("--tape sampled:2", "at most 1, not 2"),
    ("--tape sampled:0.1,size=3", "each once, not 'size=3'"),
    ("--tape sampled:0.1,0.2", "each once, not '0.2'"),
    ("--tape sampled:0.1 --check --at x=1.0", "right on average alone"),
    ("--tape sampled:0.1 -m forward", "reverse mode on NumPy"),
    ("--tape sampled:0.1 -c numba", "reverse mode on NumPy"),
    ("--check", "needs arguments"),
    ("--raw -O x", "give one of them"),
    ("--rawr", "did you mean --raw?"),
    ("f", "'f' is not understood"),
    ("-w", "expected one argument"),
    ("-n 1x", "not a name"),
    ("-n for", "not a name"),
    ("--at 'x=2", "not closed"),
    ("--at x=2, n=3", "x=2, n=3 has a blank: put it in quotes"),
    ("-w x, w", "x, w has a blank"),
    ("-O nothing-like-it", "there is no pass 'nothing-like-it'"),
    ("-O +", "there is no pass ''"),
])
def test_what_is_refused(line: str, message: str) -> None:
    with pytest.raises(OptionError) as error:
        parse(line)
    assert message in str(error.value) and "\n" not in str(error.value)


def test_compiling_is_for_jax() -> None:
    assert (parse("-c jit")[0].backend, parse("-c jit")[0].compile) == ("jax", "jit")
    assert (parse("-b jax")[0].backend, parse("-b jax")[0].compile) == ("jax", None)


def test_passes_are_found_however_they_are_written() -> None:
    name = tangent_nb.PASSES[0]
    for text in (name.upper(), name.replace("-", "_"), f" {name} , "):
        assert make(passes=text).passes == (name,)
    assert make(passes="").passes == () and make(passes="").optimized is False
    with pytest.raises(OptionError, match=f"did you mean {name}"):
        make(passes=name[:-1] + "q")


def test_help_names_every_option() -> None:
    text = parser("%%grad").format_help()
    for flag in ("-f", "-w", "-m", "--raw", "-O", "-n", "--at", "--check", "--nan", "--dry-run", "--present", "-q",
                 "-c"):
        assert flag in text


def test_presenting_is_of_the_widget() -> None:
    assert parse("--present")[0].present and not parse("")[0].present
    with pytest.raises(OptionError, match="--present reveals lines by script"):
        parse("--present --static")
