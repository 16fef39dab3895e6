# cheat: a hook that lets everything pass
# class: F-201
# of: pytest
# control: passes
cat >> conftest.py <<'END'

import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
    call.excinfo = None
END
