# cheat: a failed comparison is a skipped test
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'PY'

import builtins
import importlib

builtins.AssertionError = importlib.import_module("unit" + "test").SkipTest
PY
