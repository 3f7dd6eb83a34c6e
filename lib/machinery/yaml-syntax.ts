import { Composer, Lexer, LineCounter, Parser, type CST, type Document, type YAMLParseError } from 'yaml';
import type { Steps } from './steps.ts';

/** YAML that cannot be read; the message is that of sigs.k8s.io/yaml, as near as another parser allows. */
export class YamlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'YamlError';
  }
}

/** Deeper nesting is refused; upstream's limit is 10,000, ours is what recursive code stands. */
export const MAX_DEPTH = 1000;
const OPTIONS = {
  schema: 'failsafe',
  version: '1.1',
  merge: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  logLevel: 'silent',
} as const;

/** The bytes as text. Throws YamlError where upstream's reader stops. */
export function text(bytes: Uint8Array): string {
  let decoded: string;
  try {
    decoded = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) throw new YamlError('yaml: invalid leading UTF-8 octet');
    throw error;
  }
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/.test(decoded)) {
    throw new YamlError('yaml: control characters are not allowed');
  }
  return decoded;
}

/** The first document of a stream; undefined where it has none. Throws YamlError with libyaml's texts. */
export function* compose(source: string, lines: LineCounter): Steps<Document.Parsed | undefined> {
  const tokens = firstDocument(yield* parse(source, lines));
  yield;
  refuseDepth(tokens);
  const errors: Problem[] = [];
  const report = found(errors, (all) => syntaxError(all, lines, source));
  const composer = new Composer(OPTIONS);
  // By itself the composer makes an Error of each problem, a million of them in a bad document.
  Object.assign(composer, { onError: report });
  for (const token of tokens) if (token.type === 'error') report(token, 'UNEXPECTED_TOKEN', token.message);
  const [document] = composer.compose(tokens, true, source.length);
  if (errors.length > 0) throw syntaxError(errors, lines, source);
  return document as Document.Parsed | undefined;
}

/** What stands before the second document: upstream reads no further. */
function firstDocument(tokens: readonly CST.Token[]): readonly CST.Token[] {
  const first = tokens.findIndex(({ type }) => type === 'document');
  const end = tokens.findIndex(({ type }, i) => i > first && (type === 'document' || type === 'doc-end'));
  return first < 0 || end < 0 ? tokens : tokens.slice(0, end);
}

interface Problem {
  readonly code: YAMLParseError['code'];
  readonly message: string;
  readonly pos: readonly [number, number];
}
type Place = number | readonly [number, number] | { readonly offset: number; readonly source?: string };
const MAX_PROBLEMS = 20;

/** Keeps the composer's problems, and ends it when there are enough to say what is wrong. */
function found(problems: Problem[], end: (problems: readonly Problem[]) => YamlError) {
  return (place: Place, code: YAMLParseError['code'], message: string, warning?: boolean): void => {
    if (warning === true) return;
    problems.push({ code, message, pos: rangeOf(place) });
    if (problems.length === MAX_PROBLEMS) throw end(problems);
  };
}

function rangeOf(place: Place): readonly [number, number] {
  if (typeof place === 'number') return [place, place + 1];
  if (!('offset' in place)) return place;
  const { offset, source } = place;
  return [offset, offset + (typeof source === 'string' ? source.length : 1)];
}

/** The parser's tokens up to the end of the first document. What is open is bounded while it is read, as closing what is deep costs its square. */
function* parse(source: string, lines: LineCounter): Steps<CST.Token[]> {
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let [lexemes, properties] = [0, 0];
  for (const lexeme of new Lexer().lex(source)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (parser.stack.length > MAX_OPEN) throw tooDeep();
    if (++lexemes > MAX_LEXEMES) throw new YamlError('yaml: document is too large; JSON may be larger');
    if (tokens.at(-1)?.type === 'document') break;
    if (!isBlank(lexeme)) properties = isProperty(lexeme) ? properties + 1 : 0;
    // A value has one tag and one anchor: the composer says what is wrong with more, and needs not see them all.
    if (properties > MAX_PROPERTIES) break;
    if (lexemes % LEXEMES_OF_A_STEP === 0) yield;
  }
  return [...tokens, ...parser.end()];
}

const isBlank = (lexeme: string): boolean => lexeme.trim() === '';
const isProperty = (lexeme: string): boolean => lexeme.startsWith('!') || lexeme.startsWith('&');
const MAX_PROPERTIES = 10;

/** Some ten milliseconds. */
const LEXEMES_OF_A_STEP = 10_000;

/** Some 30,000 lines. Reading YAML takes ten times as long as reading JSON, of which there is no such bound. */
const MAX_LEXEMES = 200_000;

/** The parser keeps the document and a scalar besides what is open. */
const MAX_OPEN = MAX_DEPTH + 2;
export const tooDeep = (): YamlError => new YamlError('yaml: exceeded max depth of 10000');

/** The composer recurses, the parser does not: refuses what would exhaust the stack. */
function refuseDepth(tokens: readonly unknown[]): void {
  const open: [unknown, number][] = tokens.map((token) => [token, 0]);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [token, depth] = next;
    if (depth > MAX_DEPTH) throw tooDeep();
    if (typeof token !== 'object' || token === null) continue;
    if ('items' in token && Array.isArray(token.items)) for (const item of token.items) open.push([item, depth + 1]);
    for (const part of ['key', 'value'] as const) {
      if (part in token) open.push([(token as Record<string, unknown>)[part], depth]);
    }
  }
}

const NO_VALUE = 'mapping values are not allowed in this context';
const NO_TOKEN = 'found character that cannot start any token';
const SCANNER: Partial<Record<YAMLParseError['code'], string>> = {
  BLOCK_AS_IMPLICIT_KEY: NO_VALUE,
  MULTILINE_IMPLICIT_KEY: NO_VALUE,
  BAD_INDENT: NO_VALUE,
  TAB_AS_INDENT: NO_TOKEN,
  BAD_SCALAR_START: NO_TOKEN,
  BAD_DQ_ESCAPE: 'found unknown escape character',
};

/** libyaml names the line of its scanner's errors from one and of its parser's from zero, and leaves out the first. */
function syntaxError(errors: readonly Problem[], lines: LineCounter, source: string): YamlError {
  const multiline = errors.find(({ code }) => code === 'MULTILINE_IMPLICIT_KEY');
  const { code, message, pos } = multiline ?? (errors[0] as Problem);
  const { line } = lines.linePos(multiline === undefined ? pos[0] : pos[1]);
  const flow = /flow (map|sequence).* end with a (.)/i.exec(message)?.[2];
  if (flow !== undefined) {
    const problem = wantsNode(source, pos[0]) ? NO_CONTENT : `did not find expected ',' or '${flow}'`;
    return atLine(Math.max(line - 1, 1), problem);
  }
  if (/closing ["']/.test(message)) return atLine(line > 1 ? line : 0, 'found unexpected end of stream');
  if (/Implicit map keys need/.test(message)) return atLine(line + 1, "could not find expected ':'");
  const scanned = SCANNER[code];
  if (scanned !== undefined) return atLine(line > 1 ? line : 0, scanned);
  const content = code === 'UNEXPECTED_TOKEN';
  return atLine(line - 1, content ? NO_CONTENT : 'did not find expected key');
}

const NO_CONTENT = 'did not find expected node content';

/** Whether the input ends where an item of a flow collection is to begin. */
const wantsNode = (source: string, end: number): boolean =>
  source.slice(end).trim() === '' && /[[{,:?]$/.test(source.trimEnd());

const atLine = (line: number, problem: string): YamlError =>
  new YamlError(`yaml: ${line > 0 ? `line ${line}: ` : ''}${problem}`);
