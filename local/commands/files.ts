/** The options of a template. */
export interface TemplateOptions {
  /** The plural of a kind; guessed from its name if unset. */
  readonly plural?: string;
  /** A second version of the kind, and a webhook that converts. */
  readonly conversion?: boolean;
}

/** The files that `davit new` writes: path below a folder, and text. */
export type Files = Readonly<Record<string, string>>;
