# cheat: a hook that changes how it ended
# class: F-201
# of: pytest
# control: passes
cat >> conftest.py <<'END'


def pytest_sessionfinish(session, exitstatus):
    session.exitstatus = 0
END
