import type { Expr, MapEntry, StructField } from '../ast/expr.ts';
import { codePoints } from '../values/size.ts';
import { Builder } from './builder.ts';
import { tokenize } from './lexer.ts';
import { literal, literalKinds } from './literal.ts';
import type { Macro } from './macro.ts';
import { calculations, type Operators, operators, relations, reserved } from './operators.ts';
import type { Issue } from './source.ts';
import { display, type Token, type TokenKind } from './token.ts';
import { TokenStream } from './token-stream.ts';

/** The dialect of a parser. */
export interface ParseOptions {
  readonly macros: ReadonlyMap<string, Macro>;
  /** Optional syntax: `.?`, `[?`, `{?`, `[?x]`. */
  readonly optionals: boolean;
  /** Field names in backticks. */
  readonly identEscapes: boolean;
}

/** A parsed expression and its syntax errors. */
export interface Parsed {
  /** Not meaningful if there are issues. */
  readonly expr: Expr;
  readonly issues: readonly Issue[];
  /** UTF-16 offsets by node id. */
  readonly positions: readonly number[];
}

const sizeLimit = 100_000;
const recursionLimit = 250;

/** Parses an expression from untrusted text. Size and depth have cel-go's limits. */
export function parse(text: string, options: ParseOptions): Parsed {
  const issues: Issue[] = [];
  const builder = new Builder(options.macros, issues);
  const size = codePoints(text);
  if (size > sizeLimit) {
    const message = `expression code point size exceeds limit: size: ${size}, limit ${sizeLimit}`;
    return { expr: builder.report(-1, message), issues, positions: builder.positions };
  }
  const expr = new Parser(new TokenStream(tokenize(text, issues), issues), text, builder, options).start();
  return { expr, issues, positions: builder.positions };
}

const memberStart: readonly TokenKind[] = ['[', '{', '(', '.', '-', ...literalKinds, 'IDENTIFIER'];
const unaryStart: readonly TokenKind[] = [...memberStart, '!'];

type Rule = 'expr' | 'relation' | 'calc' | 'member';

/**
 * The parser has a method for each rule of the grammar. `#depth` counts how often each recursive rule is open. `#height` counts the nesting
 * of conditionals, operators, selections and member calls parsed since a rule began.
 */
class Parser {
  readonly #tokens: TokenStream;
  readonly #text: string;
  readonly #build: Builder;
  readonly #options: ParseOptions;
  readonly #depth: Record<Rule, number> = { expr: 0, relation: 0, calc: 0, member: 0 };
  #height = 0;

  constructor(tokens: TokenStream, text: string, builder: Builder, options: ParseOptions) {
    this.#tokens = tokens;
    this.#text = text;
    this.#build = builder;
    this.#options = options;
  }

  start(): Expr {
    const expr = this.#expr();
    if (!this.#tokens.failed) this.#tokens.expect('<EOF>');
    return expr;
  }

  #within(rule: Rule, parseRule: () => Expr): Expr {
    const beside = this.#height;
    this.#height = 0;
    if (++this.#depth[rule] > recursionLimit) this.#stop(`expression recursion limit exceeded: ${recursionLimit}`);
    const expr = parseRule();
    this.#depth[rule]--;
    this.#height = Math.max(this.#height, beside);
    return expr;
  }

  #stop(fault: string): void {
    if (this.#tokens.failed) return;
    this.#build.report(-1, fault);
    this.#tokens.stop();
  }

  /** Counts one more level, because the expression parsed since the rule began becomes an operand. */
  #raise(): void {
    if (++this.#height > recursionLimit) this.#stop('max recursion depth exceeded');
  }

  #expr(): Expr {
    return this.#within('expr', () => {
      const condition = this.#chain('||', operators.or, () => this.#chain('&&', operators.and, () => this.#relation()));
      const question = this.#tokens.accept('?');
      return question ? this.#conditional(question.offset, condition) : condition;
    });
  }

  #conditional(offset: number, condition: Expr): Expr {
    const then = this.#chain('||', operators.or, () => this.#chain('&&', operators.and, () => this.#relation()));
    this.#tokens.expect(':');
    const otherwise = this.#expr();
    this.#raise();
    return this.#build.call(offset, operators.conditional, undefined, [condition, then, otherwise]);
  }

  #chain(symbol: string, name: string, term: () => Expr): Expr {
    const terms = [term()];
    const ops: number[] = [];
    for (let op = this.#tokens.accept(symbol); op; op = this.#tokens.accept(symbol)) {
      ops.push(op.offset);
      terms.push(term());
    }
    return this.#build.balanced(name, terms, ops);
  }

  #relation(): Expr {
    return this.#binary('relation', relations, 1, () => this.#calc());
  }

  #calc(): Expr {
    return this.#binary('calc', calculations, 1, () => this.#unary());
  }

  /** Parses a left-recursive rule by precedence climbing. Each right side is nested. */
  #binary(rule: Rule, ops: Operators, least: number, operand: () => Expr): Expr {
    return this.#within(rule, () => {
      let left = operand();
      for (let op = ops.get(this.#tokens.peek().kind); op && op.precedence >= least; ) {
        const { offset } = this.#tokens.next();
        const right = this.#binary(rule, ops, op.precedence + 1, operand);
        this.#raise();
        left = this.#build.call(offset, op.name, undefined, [left, right]);
        op = ops.get(this.#tokens.peek().kind);
      }
      return left;
    });
  }

  #unary(): Expr {
    this.#tokens.sync(unaryStart);
    const { kind, offset } = this.#tokens.peek();
    const signed = kind === '-' && isNumber(this.#tokens.peek(1).kind);
    if (signed || (kind !== '-' && kind !== '!')) return this.#member();
    let count = 0;
    while (this.#tokens.accept(kind)) count++;
    this.#tokens.sync(kind === '!' ? unaryStart : memberStart);
    const operand = this.#member();
    if (count % 2 === 0) return operand;
    return this.#build.call(offset, kind === '!' ? operators.not : operators.negate, undefined, [operand]);
  }

  #member(): Expr {
    return this.#within('member', () => {
      let expr = this.#primary();
      for (;;) {
        const op = this.#tokens.accept('.') ?? this.#tokens.accept('[');
        if (!op) return expr;
        expr = op.kind === '.' ? this.#select(op, expr) : this.#index(op, expr);
        this.#raise();
      }
    });
  }

  #select(op: Token, operand: Expr): Expr {
    const optional = this.#tokens.accept('?') !== undefined;
    const name = this.#tokens.peek();
    if (name.kind !== 'IDENTIFIER' && name.kind !== 'ESC_IDENTIFIER') return this.#badField(op, name, operand);
    this.#tokens.next();
    const open = optional || name.kind !== 'IDENTIFIER' ? undefined : this.#tokens.accept('(');
    if (open) return this.#build.call(open.offset, name.text, operand, this.#args());
    const field = this.#fieldName(name);
    if (!optional) return { kind: 'select', id: this.#build.id(op.offset), operand, field, testOnly: false };
    if (!this.#optionalSyntax(op, '.?')) return operand;
    const key: Expr = { kind: 'literal', id: this.#build.id(name.offset), value: field };
    return this.#build.call(op.offset, operators.optSelect, undefined, [operand, key]);
  }

  #badField(op: Token, name: Token, operand: Expr): Expr {
    const input = this.#text.slice(op.offset, name.offset + (name.kind === '<EOF>' ? 0 : name.text.length));
    const isLiteral = ['.true', '.false', '.null'].includes(input);
    const message = isLiteral
      ? `mismatched input ${display(name.text)} expecting IDENTIFIER`
      : `no viable alternative at input ${display(input)}`;
    this.#tokens.fail(name, message);
    return operand;
  }

  #index(op: Token, operand: Expr): Expr {
    const optional = this.#tokens.accept('?') !== undefined;
    const index = this.#expr();
    this.#tokens.expect(']');
    if (optional && !this.#optionalSyntax(op, '[?')) return operand;
    const name = optional ? operators.optIndex : operators.index;
    return this.#build.call(op.offset, name, undefined, [operand, index]);
  }

  #primary(): Expr {
    const token = this.#tokens.peek();
    switch (token.kind) {
      case '(':
        return this.#nested();
      case '[':
        return this.#list();
      case '{':
        return this.#map();
      case '.':
      case 'IDENTIFIER':
        return this.#name();
      default:
        return literal(this.#tokens, this.#build);
    }
  }

  #nested(): Expr {
    this.#tokens.next();
    const expr = this.#expr();
    this.#tokens.expect(')');
    return expr;
  }

  #name(): Expr {
    const dot = this.#tokens.accept('.') ? '.' : '';
    if (this.#startsStruct()) return this.#struct(dot);
    const { kind, text, offset } = this.#tokens.expect('IDENTIFIER');
    if (kind !== 'IDENTIFIER') return this.#build.nothing(offset);
    const open = this.#tokens.accept('(');
    const args = open && this.#args();
    if (reserved.has(text)) return this.#build.report(offset, `reserved identifier: ${text}`);
    if (open && args) return this.#build.call(open.offset, dot + text, undefined, args);
    return { kind: 'ident', id: this.#build.id(offset), name: dot + text };
  }

  /** Whether a dotted name follows, then a brace. */
  #startsStruct(): boolean {
    let ahead = 0;
    while (this.#tokens.peek(ahead).kind === 'IDENTIFIER' && this.#tokens.peek(ahead + 1).kind === '.') ahead += 2;
    return this.#tokens.peek(ahead).kind === 'IDENTIFIER' && this.#tokens.peek(ahead + 1).kind === '{';
  }

  #struct(dot: string): Expr {
    let typeName = dot + this.#tokens.next().text;
    while (this.#tokens.accept('.')) typeName += `.${this.#tokens.next().text}`;
    const id = this.#build.id(this.#tokens.next().offset);
    const fields = this.#items('}', ['IDENTIFIER', 'ESC_IDENTIFIER'], () => this.#structField());
    return { kind: 'struct', id, typeName, fields };
  }

  #structField(): StructField {
    const optional = this.#optionalMark();
    const token = this.#tokens.is('ESC_IDENTIFIER') ? this.#tokens.next() : this.#tokens.expect('IDENTIFIER');
    const id = this.#build.id(this.#tokens.expect(':').offset);
    return { id, name: this.#fieldName(token), value: this.#expr(), optional };
  }

  #list(): Expr {
    const id = this.#build.id(this.#tokens.next().offset);
    const optional: number[] = [];
    let index = 0;
    const elements = this.#items(']', unaryStart, () => {
      if (this.#optionalMark()) optional.push(index);
      index++;
      return this.#expr();
    });
    return { kind: 'list', id, elements, optional };
  }

  #map(): Expr {
    const id = this.#build.id(this.#tokens.next().offset);
    return { kind: 'map', id, entries: this.#items('}', unaryStart, () => this.#mapEntry()) };
  }

  #mapEntry(): MapEntry {
    const optional = this.#optionalMark();
    const key = this.#expr();
    const id = this.#build.id(this.#tokens.expect(':').offset);
    return { id, key, value: this.#expr(), optional };
  }

  /** Parses comma-separated items up to a closing token, with an optional trailing comma. */
  #items<T>(closer: string, starts: readonly TokenKind[], item: () => T): T[] {
    const items: T[] = [];
    this.#tokens.sync([...starts, '?', ',', closer]);
    if (!this.#tokens.is(closer) && !this.#tokens.is(',')) {
      items.push(item());
      while (this.#tokens.is(',') && this.#tokens.peek(1).kind !== closer && this.#tokens.peek(1).kind !== '<EOF>') {
        this.#tokens.next();
        items.push(item());
      }
      this.#tokens.sync([',', closer]);
    }
    this.#tokens.accept(',');
    this.#tokens.expect(closer);
    return items;
  }

  #args(): Expr[] {
    this.#tokens.sync([...unaryStart, ')']);
    const args: Expr[] = [];
    if (!this.#tokens.is(')')) {
      do args.push(this.#expr());
      while (this.#tokens.accept(','));
    }
    this.#tokens.expect(')');
    return args;
  }

  #fieldName(token: Token): string {
    if (token.kind !== 'ESC_IDENTIFIER') return token.text;
    if (!this.#options.identEscapes) this.#build.report(token.offset, "unsupported syntax: '`'");
    return token.text.slice(1, -1);
  }

  #optionalMark(): boolean {
    const mark = this.#tokens.accept('?');
    return mark !== undefined && this.#optionalSyntax(mark, '?');
  }

  #optionalSyntax(token: Token, syntax: string): boolean {
    if (!this.#options.optionals) this.#build.report(token.offset, `unsupported syntax '${syntax}'`);
    return this.#options.optionals;
  }
}

function isNumber(kind: TokenKind): boolean {
  return kind === 'NUM_INT' || kind === 'NUM_FLOAT';
}
