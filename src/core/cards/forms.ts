import type { FormKind } from "../calls.ts";

/** The forms that come before a call: what they are called, their fields, and what each begins with. */

export const formFields = ["instructions", "criteria", "budget", "run"] as const;
export type FormField = (typeof formFields)[number];

/** What somebody typed, by field; what is not in the form, or was left empty, may be absent. */
export type FormWords = Readonly<Partial<Record<FormField, string>>>;

/** What was typed, with what its fields are called: whoever sent a form that is not taken gets it back, because it is gone by then. */
export function typedFields(typed: FormWords): readonly { readonly label: string; readonly text: string }[] {
  return formFields.flatMap((field) => {
    const text = typed[field] ?? "";
    return text.trim() === "" ? [] : [{ label: fieldLabels[field], text }];
  });
}

/** What each field is called in a form. */
export const fieldLabels: Readonly<Record<FormField, string>> = {
  instructions: "Instructions",
  criteria: "Acceptance criteria",
  budget: "Ceiling in USD",
  run: "Command",
};

export interface FormInput {
  readonly field: FormField;
  readonly label: string;
  /** Shown while the field is empty. */
  readonly hint: string;
  readonly isMultiline: boolean;
  readonly isRequired: boolean;
  /** What it begins with. */
  readonly initial: string;
}

export interface Form {
  readonly kind: FormKind;
  readonly title: string;
  /** The label of the button that sends it. */
  readonly submit: string;
  /** The goal or campaign that it is about. */
  readonly about: string;
  /** ISO 8601; null: there is no question that ends. */
  readonly until: string | null;
  readonly fields: readonly FormInput[];
}

export interface FormFacts {
  readonly about: string;
  readonly until: string | null;
  /** Null: no budget is taken. */
  readonly ceilingUsd: number | null;
  /** The fixed command that the goal runs, for which nobody can be told how to work; null: an agent works it. */
  readonly command: string | null;
}

/** As much fits into a field on every platform, in UTF-16 units: what is longer is never shown cut, since it would come back so. */
export const longestInForm = 3000;

export const addCriteriaLabel = "Add criteria";

/** What each form is called. */
export const formTitles: Readonly<Record<FormKind, string>> = {
  modify: "Modify",
  edit: "Edit the command",
  criteria: addCriteriaLabel,
};

/** What may be written there. */
export const criteriaHint = "A file of the repository, such as specs/rounding.md, or criteria as they stand in one";

/** The form behind a button: its fields, and what is said above them. Amounts in USD. */
export function formFor(kind: FormKind, { about, until, ceilingUsd, command }: FormFacts): Form {
  switch (kind) {
    case "modify":
      return {
        kind,
        about,
        until,
        title: formTitles[kind],
        submit: "Continue",
        fields: [
          ...(command === null ? [input("instructions", "What should be different?", { isMultiline: true })] : []),
          input("criteria", "What must hold when it is done", { isMultiline: true }),
          ...(ceilingUsd === null ? [] : [input("budget", `Now ${ceilingUsd.toFixed(2)}`, {})]),
        ],
      };
    case "edit":
      return {
        kind,
        about,
        until,
        title: formTitles[kind],
        submit: "Run this instead",
        fields: [input("run", "npm run fix", { isMultiline: true, isRequired: true, initial: command ?? "" })],
      };
    case "criteria":
      return {
        kind,
        about,
        until,
        title: formTitles[kind],
        submit: "Run them",
        fields: [input("criteria", criteriaHint, { isMultiline: true, isRequired: true })],
      };
  }
}

function input(
  field: FormField,
  hint: string,
  more: Partial<Pick<FormInput, "isMultiline" | "isRequired" | "initial">>,
): FormInput {
  return { field, label: fieldLabels[field], hint, isMultiline: false, isRequired: false, initial: "", ...more };
}
