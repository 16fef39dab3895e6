/** Discord's documented limits, in characters or items. Everything that is drawn is clamped by this one table. */
export const limits = {
  content: 2000,
  embedDescription: 4096,
  embedFooter: 2048,
  /** Total of all texts in all embeds of a message. */
  embedsTotal: 6000,
  rows: 5,
  rowButtons: 5,
  buttonLabel: 80,
  customId: 100,
  modalTitle: 45,
  modalComponents: 5,
  inputLabel: 45,
  inputPlaceholder: 100,
  inputText: 4000,
  modalText: 4000,
  threadName: 100,
  /** Description of an attachment, for people who cannot see it. */
  altText: 1024,
  nonce: 25,
  commandName: 32,
  commandDescription: 100,
  commandChildren: 25,
  commandOptions: 25,
  commandChoices: 25,
  choiceName: 100,
  choiceValue: 100,
  /** Total of names, descriptions and choices of a command with everything below it. */
  commandTotal: 8000,
} as const;
