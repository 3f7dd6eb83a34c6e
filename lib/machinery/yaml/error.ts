/** YAML that cannot be read; the message is that of sigs.k8s.io/yaml. */
export class YamlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'YamlError';
  }
}

/** Deeper nesting is refused; upstream's limit is 10,000, ours is what recursive code stands. */
export const MAX_DEPTH = 1000;
/** The error of a document that nests deeper than 10,000 levels. */
export const tooDeep = (): YamlError => new YamlError('yaml: exceeded max depth of 10000');

/** Reading YAML takes longer than reading JSON, of which there is no such bound. */
export const tooLarge = (): YamlError => new YamlError('yaml: document is too large; JSON may be larger');

/** A fault with the line that upstream names: none for the first. */
export const faultAt = (line: number, problem: string): YamlError =>
  new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`);
