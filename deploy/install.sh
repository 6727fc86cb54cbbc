#!/bin/sh
# Installs Errdex from this folder into a new environment:
#
#   sh deploy/install.sh /opt/errdex
#
# Needs Python 3.11 or later and no rights but to write there. Every package is the one of requirements/base.txt, by its
# hash. Nothing is written into this folder, and what Errdex reads is in the environment, so this folder may go afterwards.
# deploy/Containerfile runs it, and so does tests/install/test_deploy.py.
set -eu
target=${1:?name the folder of the environment, which must not be there yet}
source=$(cd "$(dirname "$0")/.." && pwd)
if [ -e "$target" ]; then
  echo "$target is there already; remove it first, or name another folder" >&2
  exit 1
fi
python=$(sh "$source/.ci/python")
"$python" -m venv "$target"
pip() { "$target/bin/python" -m pip --disable-pip-version-check --quiet "$@"; }
pip install --require-hashes --only-binary :all: -r "$source/requirements/base.txt"
wheel=$(mktemp -d)
trap 'rm -rf "$wheel"' EXIT
pip wheel --no-deps --no-build-isolation --no-index --wheel-dir "$wheel" "$source"
pip install --no-deps --no-index "$wheel"/errdex-*.whl
# what only makes a wheel
pip uninstall --yes hatch-requirements-txt hatchling pathspec pluggy tomlkit trove-classifiers
"$target/bin/errdex" --version
