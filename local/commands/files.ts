/** The options of a template. */
export interface TemplateOptions {
  /** The plural of a kind. If unset, it is guessed from the name. */
  readonly plural?: string;
  /** A second version of the kind, and a webhook that converts between the two. */
  readonly conversion?: boolean;
}

/** The files that `davit new` writes: paths relative to the folder, and their text. */
export type Files = Readonly<Record<string, string>>;
