import { badRequest, StatusError } from '../errors.ts';
import { errorText } from '../validation/field.ts';
import { isQualifiedName } from '../validation/names.ts';
import { type Token, type TokenKind, tokens } from './lexer.ts';
import { keyError, newRequirement, type Operator, type Requirement } from './requirement.ts';

interface Parser {
  readonly tokens: readonly Token[];
  at: number;
}

const OPERATORS: Partial<Record<TokenKind, Operator>> = {
  in: 'in',
  notin: 'notin',
  '=': '=',
  '==': '==',
  '!=': '!=',
  '>': 'gt',
  '<': 'lt',
};
const BINARY = 'in, notin, =, ==, !=, gt, lt';

/** The maximum number of characters and tokens, which bounds the parsing time. Upstream has no limit. */
const MAX_LENGTH = 256 * 1024;
const MAX_TOKENS = 20_000;

function boundedTokens(text: string): Token[] {
  const found = text.length > MAX_LENGTH ? undefined : tokens(text);
  if (found === undefined || found.length > MAX_TOKENS) throw badRequest('unable to parse requirement: too many terms');
  return found;
}

/** Upstream's `labels.Parse`: the requirements, sorted by key. Throws 400 with upstream's text. */
export function parseRequirements(text: string): Requirement[] {
  const parser: Parser = { tokens: boundedTokens(text), at: 0 };
  const requirements: Requirement[] = [];
  for (;;) {
    const { kind, literal } = peek(parser);
    if (kind === 'end') break;
    if (kind !== 'identifier' && kind !== '!') throw expected(literal, "!, identifier, or 'end of string'");
    requirements.push(requirement(parser));
    const next = take(parser);
    if (next.kind === 'end') break;
    if (next.kind !== ',') throw expected(next.literal, "',' or 'end of string'");
    const after = peek(parser);
    if (after.kind !== 'identifier' && after.kind !== '!') throw expected(after.literal, "identifier after ','");
  }
  return requirements.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
}

const expected = (literal: string, what: string): StatusError => badRequest(`found '${literal}', expected: ${what}`);

/** The next token. `in` and `notin` are identifiers, except in the position of an operator. */
function peek({ tokens: all, at }: Parser): Token {
  const token = all[Math.min(at, all.length - 1)] as Token;
  return token.kind === 'in' || token.kind === 'notin' ? { kind: 'identifier', literal: token.literal } : token;
}

function take(parser: Parser): Token {
  const token = peek(parser);
  parser.at++;
  return token;
}

function requirement(parser: Parser): Requirement {
  try {
    return parseRequirement(parser);
  } catch (error) {
    if (error instanceof StatusError) throw badRequest(`unable to parse requirement: ${error.message}`);
    throw error;
  }
}

function parseRequirement(parser: Parser): Requirement {
  const negated = peek(parser).kind === '!';
  if (negated) parser.at++;
  const { kind, literal: key } = take(parser);
  if (kind !== 'identifier') throw expected(key, 'identifier');
  if (isQualifiedName(key).length > 0) throw badRequest(errorText(keyError('<nil>', key)));
  if (negated) return newRequirement(key, '!', []);
  const next = peek(parser).kind;
  if (next === 'end' || next === ',') return newRequirement(key, 'exists', []);
  const operator = parseOperator(parser);
  const values = operator === 'in' || operator === 'notin' ? parseSet(parser) : [parseExact(parser)];
  return newRequirement(key, operator, [...new Set(values)].sort());
}

function parseOperator(parser: Parser): Operator {
  const { kind, literal } = parser.tokens[parser.at++] as Token;
  const operator = OPERATORS[kind];
  if (operator === undefined) throw expected(literal, BINARY);
  return operator;
}

function parseExact(parser: Parser): string {
  const { kind } = peek(parser);
  if (kind === 'end' || kind === ',') return '';
  const token = take(parser);
  if (token.kind !== 'identifier') throw expected(token.literal, 'identifier');
  return token.literal;
}

function parseSet(parser: Parser): string[] {
  const open = take(parser);
  if (open.kind !== '(') throw badRequest(`found '${open.literal}' expected: '('`);
  const { kind, literal } = peek(parser);
  if (kind === ')') {
    parser.at++;
    return [''];
  }
  if (kind !== 'identifier' && kind !== ',') throw expected(literal, "',', ')' or identifier");
  const values = parseList(parser);
  parser.at++;
  return values;
}

/** Parses values up to the closing parenthesis, which stays unread. An empty text between commas is an empty value. */
function parseList(parser: Parser): string[] {
  const values: string[] = [];
  for (;;) {
    const { kind, literal } = take(parser);
    const next = peek(parser);
    if (kind === 'identifier') {
      values.push(literal);
      if (next.kind === ')') return values;
      if (next.kind !== ',') throw expected(next.literal, "',' or ')'");
    } else if (kind === ',') {
      if (values.length === 0 || next.kind === ')' || next.kind === ',') values.push('');
      if (next.kind === ')') return values;
    } else throw expected(literal, "',', or identifier");
  }
}
