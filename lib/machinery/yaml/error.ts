/** Invalid YAML. The message is that of sigs.k8s.io/yaml. */
export class YamlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'YamlError';
  }
}

/** The maximum nesting depth. Upstream's limit is 10,000. This limit is safe for recursive code. */
export const MAX_DEPTH = 1000;
/** The error of a document that is nested too deeply, with upstream's text for 10,000 levels. */
export const tooDeep = (): YamlError => new YamlError('yaml: exceeded max depth of 10000');

/** The error of a document that takes too long to parse. JSON has no such limit, because it parses faster. */
export const tooLarge = (): YamlError => new YamlError('yaml: document is too large; JSON may be larger');

/** An error with upstream's line number, which is omitted for the first line. */
export const faultAt = (line: number, problem: string): YamlError =>
  new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`);
