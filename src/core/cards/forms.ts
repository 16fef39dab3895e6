import type { FormKind } from "../calls.ts";

/** The forms that are shown before a call: their names, fields and initial values. */

export const formFields = ["instructions", "criteria", "budget", "run"] as const;
export type FormField = (typeof formFields)[number];

/** What somebody typed, by field. A field that the form lacks, or that was left empty, may be absent. */
export type FormWords = Readonly<Partial<Record<FormField, string>>>;

/** What was typed, with the labels of the fields. If a form is refused, its sender gets this back, because the form is closed by then. */
export function typedFields(typed: FormWords): readonly { readonly label: string; readonly text: string }[] {
  return formFields.flatMap((field) => {
    const text = typed[field] ?? "";
    return text.trim() === "" ? [] : [{ label: fieldLabels[field], text }];
  });
}

/** The label of each field. */
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
  /** Its initial value. */
  readonly initial: string;
}

export interface Form {
  readonly kind: FormKind;
  readonly title: string;
  /** The label of the button that sends it. */
  readonly submit: string;
  /** The goal or campaign that the form is about. */
  readonly about: string;
  /** ISO 8601. Null when no question with a deadline is behind it. */
  readonly until: string | null;
  readonly fields: readonly FormInput[];
}

export interface FormFacts {
  readonly about: string;
  readonly until: string | null;
  /** Null when the form has no field for a budget. */
  readonly ceilingUsd: number | null;
  /** The fixed command of the goal, which reads no instructions. Null when an agent works the goal. */
  readonly command: string | null;
}

/** Maximum length of a field on every platform, in UTF-16 units. A longer value is never shown cut, because it would be sent back cut. */
export const longestInForm = 3000;

export const addCriteriaLabel = "Add criteria";

/** The title of each form. */
export const formTitles: Readonly<Record<FormKind, string>> = {
  modify: "Modify",
  edit: "Edit the command",
  criteria: addCriteriaLabel,
};

/** The hint of the field for criteria. */
export const criteriaHint = "A file of the repository, such as specs/rounding.md, or criteria as they stand in one";

/** The form behind a button, with its fields and title. Amounts in USD. */
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
