export type ChartTheme = "light" | "dark";

export interface Colours {
  readonly paper: string;
  readonly ink: string;
  readonly faint: string;
  readonly grid: string;
  readonly verified: string;
  readonly claimed: string;
  readonly notChecked: string;
  readonly failed: string;
  readonly escalated: string;
  readonly spend: string;
  /** The colour of a number on each kind of bar. */
  readonly on: Readonly<Record<Kind, string>>;
}

export const kinds = ["verified", "claimed", "notChecked", "failed", "escalated"] as const;

export type Kind = (typeof kinds)[number];

export const kindWords: Readonly<Record<Kind, string>> = {
  verified: "verified",
  claimed: "claimed",
  notChecked: "not checked",
  failed: "failed",
  escalated: "escalated",
};

export const colours: Readonly<Record<ChartTheme, Colours>> = {
  light: {
    paper: "#ffffff",
    ink: "#1d2320",
    faint: "#5b645f",
    grid: "#d9dedb",
    verified: "#1f6b45",
    claimed: "#a9d3bc",
    notChecked: "#c5cac7",
    failed: "#b3261e",
    escalated: "#e3a33a",
    spend: "#2b4c9b",
    on: {
      verified: "#ffffff",
      claimed: "#1d2320",
      notChecked: "#1d2320",
      failed: "#ffffff",
      escalated: "#1d2320",
    },
  },
  dark: {
    paper: "#141816",
    ink: "#e8ede9",
    faint: "#a3ada7",
    grid: "#343b37",
    verified: "#5fc795",
    claimed: "#2f6b4c",
    notChecked: "#59625d",
    failed: "#f2786d",
    escalated: "#e8b04f",
    spend: "#8fb0ff",
    on: {
      verified: "#141816",
      claimed: "#e8ede9",
      notChecked: "#e8ede9",
      failed: "#141816",
      escalated: "#141816",
    },
  },
};
