/** Slack's documented limits, in characters or items. Everything that is drawn is clamped by this one table. */
export const limits = {
  messageBlocks: 50,
  viewBlocks: 100,
  sectionText: 3000,
  sectionFields: 10,
  fieldText: 2000,
  contextElements: 10,
  contextText: 3000,
  actionElements: 25,
  buttonText: 75,
  buttonValue: 2000,
  actionId: 255,
  blockId: 255,
  accessibilityLabel: 75,
  overflowOptions: 5,
  optionText: 75,
  optionValue: 150,
  viewTitle: 24,
  viewButton: 24,
  inputLabel: 2000,
  inputHint: 2000,
  inputText: 3000,
  placeholder: 150,
  /** Description of a file, for screen readers. */
  altText: 1000,
  privateMetadata: 3000,
  /** Recommended for the top-level text, which notifications show; longer text is cut by Slack at 40 000. */
  topText: 4000,
  /** All blocks as JSON; Slack refuses about 13 000 with msg_blocks_too_long, which it does not document. */
  blocksJson: 12_000,
  /** All blocks of a view as JSON; Slack takes 250 kB, and a character is at most three bytes. */
  viewJson: 70_000,
} as const;
