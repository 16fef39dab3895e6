import { expect, it } from "vitest";
import { newSurroundings } from "../../../src/core/trials/surroundings.ts";

const before = "int price(int n) { return n + 1; }\n";

it.each<[string, string[]]>([
  ["__attribute__((constructor)) static void ready(void) { _exit(0); }\n", ["__attribute__((constructor))", "_exit"]],
  ["[[gnu::constructor]] void ready() { quick_exit(0); }\n", ["__attribute__((constructor))", "quick_exit"]],
  ["void ready(void) { atexit(done); }\n", ["atexit"]],
  ["void run(void) { if (fork() == 0) { execvp(a[0], a); _exit(0); } }\n", ["_exit"]],
  ["void run(void) { execvp(a[0], a); _exit(256); _exit(status); }\n", ["_exit"]],
  ["void run(void) { _exit(127); }\n", ["_exit"]],
  ["static void done(void) { _exit(0); }\nvoid run(void) { atexit(done); }\n", ["_exit", "atexit"]],
  ["static void last(void) { exit(0); }\nvoid done(void) { last(); }\nvoid run(void) { atexit(done); }\n", ["atexit"]],
  ["void run(void) { std::atexit([] { std::abort(); }); atexit(*done[0]); }\n", ["atexit"]],
  ['static void (*first)(void) __attribute__((section(".init_array"), used)) = early;\n', ['section(".init_array")']],
  ["static void done(int n, void *a) { _exit(0); }\nvoid run(void) { on_exit(done, 0); }\n", ["_exit", "on_exit"]],
  // What programs do every day.
  ['__attribute__((section(".init.text"))) void begin(void) { }\nchar s[] = ".init_array";\n', []],
  ['void run(void) { if (fork() == 0) { execvp(a[0], a); perror("run"); _exit(127); } }\n', []],
  ["void run(void) { if (fork() == 0) { dup2(fd, 1); execl(a, a, NULL); _exit(EXIT_FAILURE); } }\n", []],
  ["static void cleanup(void) { unlink(lock); }\nvoid run(void) { atexit(cleanup); std::atexit(&cleanup); }\n", []],
  ["void run(void) { initscr(); atexit(endwin); }\n", []],
  ["int main(void) { exit(0); }\nstruct constructor { int a; };\n", []],
])("source of C that ends the process beside its tests is told: %s [F-201]", (added, changes) => {
  expect(newSurroundings("src/price.cc", before + added, before).changes).toEqual(changes);
  expect(newSurroundings("src/price.cc", before + added, before + added).changes).toEqual([]);
});
