import type { Steps } from '../steps.ts';
import { faultAt, MAX_DEPTH, tooDeep, tooLarge, YamlError } from './error.ts';
import type { Node, ScalarNode } from './node.ts';
import { Scanner } from './scanner.ts';
import type { Tag, Token, TokenType } from './token.ts';

/** The number of tokens in a step of about ten milliseconds. */
const TOKENS_OF_A_STEP = 10_000;
/** The maximum number of tokens, about 60,000 lines of fields. */
const MAX_TOKENS = 250_000;

/** Parses the first document of a stream; undefined if there is none. Throws YamlError with libyaml's texts. */
export function* parse(text: string): Steps<Node | undefined> {
  const scanned = yield* scan(text);
  yield;
  return new Parser(scanned).document();
}

const MAX_PROPERTIES = 10;

interface ScannedText {
  readonly tokens: readonly Token[];
  /** The error that ended the tokens before the end of the document. */
  readonly fault: YamlError | undefined;
}

/** Scans tokens up to the end of the first document. */
function* scan(text: string): Steps<ScannedText> {
  const scanner = new Scanner(text);
  const tokens: Token[] = [];
  let begun = false;
  let properties = 0;
  for (;;) {
    try {
      tokens.push(scanner.next());
    } catch (error) {
      if (error instanceof YamlError) return { tokens, fault: error };
      throw error;
    }
    const { type } = tokens.at(-1) as Token;
    if (type === 'stream end' || type === 'document end') break;
    if (type === 'document start' && begun) break;
    begun ||= type !== 'version' && type !== 'tag directive';
    // A value has at most one tag and one anchor. The parser rejects the first excess one, so it does not need all of them.
    properties = PROPERTIES.has(type) ? properties + 1 : 0;
    if (properties > MAX_PROPERTIES) break;
    if (tokens.length > MAX_TOKENS) throw tooLarge();
    if (tokens.length % TOKENS_OF_A_STEP === 0) yield;
  }
  return { tokens, fault: undefined };
}

interface Properties {
  readonly line: number;
  readonly anchor: string | undefined;
  readonly tag: string;
}

const LONG_TAG = 'tag:yaml.org,2002:';
const NO_CONTENT = 'did not find expected node content';

/** Parses tokens with libyaml's grammar. An alias can only refer to an earlier anchor. */
class Parser {
  readonly #scanned: ScannedText;
  #at = 0;
  #depth = 0;
  readonly #anchors = new Map<string, Node>();
  readonly #handles = new Map<string, string>();

  constructor(scanned: ScannedText) {
    this.#scanned = scanned;
  }

  document(): Node | undefined {
    const { type } = this.#peek();
    if (type === 'stream end') return undefined;
    const isExplicit = type === 'version' || type === 'tag directive' || type === 'document start';
    this.#directives();
    if (isExplicit && !this.#skip('document start')) throw this.#fault('did not find expected <document start>');
    const node = isExplicit && this.#isOneOf(DOCUMENT) ? this.#empty() : this.#node(true, false);
    this.#peek();
    return node;
  }

  #peek(): Token {
    const token = this.#scanned.tokens[this.#at];
    if (token !== undefined) return token;
    throw this.#scanned.fault ?? new TypeError('behind the end of the tokens');
  }

  #skip(type: TokenType): boolean {
    const found = this.#peek().type === type;
    if (found) this.#at++;
    return found;
  }

  #isOneOf(types: ReadonlySet<TokenType>): boolean {
    return types.has(this.#peek().type);
  }

  /** An error at a token. For these errors upstream counts lines from zero. */
  #fault(problem: string, { line } = this.#peek()): YamlError {
    return faultAt(line, problem);
  }

  #directives(): void {
    let version: string | undefined;
    for (;;) {
      const token = this.#peek();
      if (token.type === 'version') {
        if (version !== undefined) throw this.#fault('found duplicate %YAML directive');
        if (token.value !== '1.1') throw this.#fault('found incompatible YAML document');
        version = token.value;
      } else if (token.type === 'tag directive') this.#handle(token.tag as Tag);
      else break;
      this.#at++;
    }
    for (const [handle, prefix] of [['!', '!'] as const, ['!!', LONG_TAG] as const]) {
      if (!this.#handles.has(handle)) this.#handles.set(handle, prefix);
    }
  }

  #handle({ handle, suffix }: Tag): void {
    if (this.#handles.has(handle)) throw this.#fault('found duplicate %TAG directive');
    this.#handles.set(handle, suffix);
  }

  #empty({ line } = this.#peek()): ScalarNode {
    return { kind: 'scalar', line, value: '', tag: '', implicit: true };
  }

  /** Parses a node. `indentless` allows a sequence at the indentation of the surrounding mapping. */
  #node(block: boolean, indentless: boolean): Node {
    if (++this.#depth > MAX_DEPTH) throw tooDeep();
    const node = this.#peek().type === 'alias' ? this.#alias() : this.#content(block, indentless);
    this.#depth--;
    return node;
  }

  #alias(): Node {
    const { line, value: name = '' } = this.#peek();
    const target = this.#anchors.get(name);
    if (target === undefined) throw new YamlError(`yaml: unknown anchor '${name}' referenced`);
    this.#at++;
    return { kind: 'alias', line, name, target };
  }

  #content(block: boolean, indentless: boolean): Node {
    const properties = this.#properties();
    const token = this.#peek();
    if (indentless && token.type === 'entry') return this.#sequence(properties, (items) => this.#indentless(items));
    if (token.type === 'scalar') return this.#scalar(properties, token);
    if (token.type === '[') return this.#sequence(properties, (items) => this.#flowSequence(items));
    if (token.type === '{') return this.#mapping(properties, (pairs) => this.#flowMapping(pairs));
    if (block && token.type === 'block sequence')
      return this.#sequence(properties, (items) => this.#blockSequence(items));
    if (block && token.type === 'block mapping') return this.#mapping(properties, (pairs) => this.#blockMapping(pairs));
    if (properties.anchor === undefined && properties.tag === '') throw this.#fault(NO_CONTENT);
    const { line, tag } = properties;
    return this.#anchored(properties, { kind: 'scalar', line, value: '', tag, implicit: tag === '' });
  }

  #properties(): Properties {
    const { line } = this.#peek();
    let anchor = this.#anchorName();
    const at = this.#peek();
    const tag = at.type === 'tag' ? at.tag : undefined;
    if (tag !== undefined) {
      this.#at++;
      anchor ??= this.#anchorName();
    }
    return { line, anchor, tag: tag === undefined ? '' : this.#resolve(tag, at) };
  }

  #anchorName(): string | undefined {
    const { type, value } = this.#peek();
    if (type !== 'anchor') return undefined;
    this.#at++;
    return value;
  }

  #resolve({ handle, suffix }: Tag, at: Token): string {
    if (handle === '') return suffix;
    const prefix = this.#handles.get(handle);
    if (prefix === undefined) throw this.#fault('found undefined tag handle', at);
    return prefix + suffix;
  }

  #anchored<N extends Node>({ anchor }: Properties, node: N): N {
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    return node;
  }

  #scalar(properties: Properties, { value = '', plain = false }: Token): Node {
    this.#at++;
    const { line, tag } = properties;
    const implicit = (tag === '' && plain) || tag === '!';
    return this.#anchored(properties, { kind: 'scalar', line, value, tag, implicit });
  }

  #sequence(properties: Properties, read: (items: Node[]) => void): Node {
    const items: Node[] = [];
    const node = this.#anchored(properties, { kind: 'sequence', line: properties.line, items });
    read(items);
    return node;
  }

  #mapping(properties: Properties, read: (pairs: [Node, Node][]) => void): Node {
    const pairs: [Node, Node][] = [];
    const node = this.#anchored(properties, { kind: 'mapping', line: properties.line, pairs });
    read(pairs);
    return node;
  }

  #blockSequence(items: Node[]): void {
    this.#at++;
    for (;;) {
      const token = this.#peek();
      if (this.#skip('block end')) return;
      if (!this.#skip('entry')) throw this.#fault("did not find expected '-' indicator");
      items.push(this.#isOneOf(ENTRY) ? this.#empty(token) : this.#node(true, false));
    }
  }

  #indentless(items: Node[]): void {
    for (;;) {
      const token = this.#peek();
      if (!this.#skip('entry')) return;
      items.push(this.#isOneOf(INDENTLESS) ? this.#empty(token) : this.#node(true, false));
    }
  }

  #blockMapping(pairs: [Node, Node][]): void {
    this.#at++;
    for (;;) {
      const token = this.#peek();
      if (this.#skip('block end')) return;
      if (!this.#skip('key')) throw this.#fault('did not find expected key');
      const key = this.#isOneOf(MAPPING) ? this.#empty(token) : this.#node(true, true);
      pairs.push([key, this.#blockValue()]);
    }
  }

  #blockValue(): Node {
    const token = this.#peek();
    if (!this.#skip('value')) return this.#empty(token);
    return this.#isOneOf(MAPPING) ? this.#empty(token) : this.#node(true, true);
  }

  #flowSequence(items: Node[]): void {
    this.#at++;
    for (let first = true; ; first = false) {
      if (this.#skip(']')) return;
      if (!first && !this.#skip(',')) throw this.#fault("did not find expected ',' or ']'");
      if (this.#skip(']')) return;
      items.push(this.#peek().type === 'key' ? this.#pair() : this.#node(false, false));
    }
  }

  /** Parses a mapping of a single pair without braces. */
  #pair(): Node {
    const { line } = this.#peek();
    this.#at++;
    const key = this.#isOneOf(PAIR) ? this.#skippedKey() : this.#node(false, false);
    return { kind: 'mapping', line, pairs: [[key, this.#flowValue(SEQUENCE_VALUE)]] };
  }

  /** Skips the token after an empty key, as libyaml does. */
  #skippedKey(): Node {
    const node = this.#empty();
    this.#at++;
    return node;
  }

  #flowMapping(pairs: [Node, Node][]): void {
    this.#at++;
    for (let first = true; ; first = false) {
      if (this.#skip('}')) return;
      if (!first && !this.#skip(',')) throw this.#fault("did not find expected ',' or '}'");
      if (this.#skip('}')) return;
      if (this.#skip('key')) {
        const key = this.#isOneOf(FLOW_KEY) ? this.#empty() : this.#node(false, false);
        pairs.push([key, this.#flowValue(MAPPING_VALUE)]);
      } else {
        const key = this.#node(false, false);
        pairs.push([key, this.#empty()]);
      }
    }
  }

  #flowValue(ends: ReadonlySet<TokenType>): Node {
    if (!this.#skip('value') || this.#isOneOf(ends)) return this.#empty();
    return this.#node(false, false);
  }
}

const types = (...names: readonly TokenType[]): ReadonlySet<TokenType> => new Set(names);
const PROPERTIES = types('anchor', 'tag', 'alias');
const DOCUMENT = types('version', 'tag directive', 'document start', 'document end', 'stream end');
const ENTRY = types('entry', 'block end');
const INDENTLESS = types('entry', 'key', 'value', 'block end');
const MAPPING = types('key', 'value', 'block end');
const PAIR = types('value', ',', ']');
const SEQUENCE_VALUE = types(',', ']');
const FLOW_KEY = types('value', ',', '}');
const MAPPING_VALUE = types(',', '}');
