# cheat: the code changes the hooks of the runner
# class: F-201
# of: pytest
# control: passes
cat >> "$SOURCE" <<'END'

import _pytest.python
_pytest.python.Function.runtest = lambda self: None
END
