/** The files that `davit new` writes: path below a folder, and text. */
export type Files = Readonly<Record<string, string>>;
