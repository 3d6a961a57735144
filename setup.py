"""Metadata and dependencies of tangent_nb. Tool configuration is in pyproject.toml."""
from pathlib import Path

from setuptools import find_packages, setup

EXTRAS = {
    "jax": ["jax>=0.10"],
    "numba": ["numba>=0.61"],
    "scipy": ["scipy>=1.13"],
    "graph": ["igraph>=1.0"],
    "examples": [
        "igraph>=1.0",
        "scikit-learn>=1.5",
        "matplotlib>=3.9",
        "tqdm>=4.66",
        "jupyterlab>=4.1",
        "nbclient>=0.10",
        "ipykernel>=6.29",
    ],
}
EXTRAS["test"] = [
    *EXTRAS["jax"],
    *EXTRAS["numba"],
    *EXTRAS["scipy"],
    *EXTRAS["graph"],
    *EXTRAS["examples"],
    "pytest>=8.2,<9.2",     # with 9.2 xdist 3.8 spreads what shares a group over all workers
    "pytest-xdist>=3.6.1",
    "hypothesis>=6.100",
    "playwright>=1.45",
    "nbconvert>=7.16",
    "notebook>=7.2",
    "cloudpickle>=3.0",
    "line_profiler>=4.1",
    "mypy>=1.16",
    "types-Pygments>=2.17",
    "ruff>=0.17",
    "import-linter>=2.16",
]
EXTRAS["all"] = sorted({requirement for extra in EXTRAS.values() for requirement in extra})

# JupyterLab and Notebook find their extensions here.
LAB = "share/jupyter/labextensions/tangent_nb"

setup(
    name="tangent_nb",
    version="0.1.0",
    description="Automatic differentiation of NumPy code by source-code transformation, to be read in a notebook",
    long_description=(Path(__file__).parent / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    author="the tangent_nb authors",
    license="MIT",
    classifiers=[
        "Framework :: IPython",
        "Framework :: Jupyter",
        "Intended Audience :: Education",
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Topic :: Scientific/Engineering :: Mathematics",
        "Topic :: Software Development :: Code Generators",
    ],
    packages=find_packages(include=["tangent_nb", "tangent_nb.*"]),
    package_data={"tangent_nb": ["static/*", "py.typed"]},
    data_files=[
        (LAB, ["js/lab/package.json"]),
        (f"{LAB}/static", ["tangent_nb/static/lab.js", "tangent_nb/static/widget.css"]),
    ],
    python_requires=">=3.11",
    install_requires=[
        "numpy>=2.0",
        "gast>=0.7",
        "astor>=0.8.1",
        "pygments>=2.17",
        "ipython>=8.20",
        "ipywidgets>=8.1",
        "anywidget>=0.9.13",
    ],
    extras_require=EXTRAS,
)
