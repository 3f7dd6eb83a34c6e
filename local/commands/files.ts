/** What `davit new` writes: the path of each file below a folder, and its text. */
export type Files = Readonly<Record<string, string>>;
