/**
 * Environment variables that a terminal sets for programs that a person starts, but that a criterion normally lacks. A trial in another
 * folder sets them, too. Variables that change how tools behave (`CI`, `NO_COLOR`, `DISPLAY`) are not included.
 */
export const deskVariables: Readonly<Record<string, string>> = {
  TERM: "xterm-256color",
  COLORTERM: "truecolor",
  SHELL: "/bin/bash",
  SHLVL: "1",
  EDITOR: "vi",
  VISUAL: "vi",
  SSH_CLIENT: "192.0.2.7 50122 22",
  SSH_CONNECTION: "192.0.2.7 50122 192.0.2.9 22",
  SSH_TTY: "/dev/pts/0",
  TERM_PROGRAM: "tmux",
  WINDOWID: "4194311",
  XDG_SESSION_CLASS: "user",
  XDG_SESSION_ID: "7",
  XDG_SESSION_TYPE: "tty",
  XDG_VTNR: "1",
  LS_COLORS: "di=01;34",
  OLDPWD: "/",
};
