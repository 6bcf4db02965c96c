# Shared by bin/dev and bin/test: goes to the project's root, finds a Python and hands over to the virtual environment.

cd "$(dirname "$0")/.."

is_new_enough() {
    "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1
}

find_python() {
    for candidate in python3.11 python3 python3.12 python3.13 python3.14; do
        if is_new_enough "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "Python 3.11 or newer is needed and was not found on the PATH (Debian: apt-get install python3 python3-venv)." >&2
    exit 1
}

# run_in_venv REQUIREMENTS-FILE MODULE [ARGUMENT...]
run_in_venv() {
    requirements=$1
    shift
    python=$(find_python)
    "$python" devtools/venv.py "$requirements"
    exec .venv/bin/python -m "$@"
}
