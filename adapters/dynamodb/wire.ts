import { TableError } from './faults.ts';
import type { Answer, Attribute, Item } from './port.ts';

/** As it is sent, or told in an answer: bytes in base64. */
type Wire = Record<string, unknown>;

/** What of an input has items in it. */
const WITH_ITEMS = ['Item', 'Key', 'ExpressionAttributeValues', 'ExclusiveStartKey'];

/** A call's body. Undefined is left out. */
export function bodyOf(input: Readonly<Record<string, unknown>>): string {
  const body: Wire = { ...input };
  for (const name of WITH_ITEMS) if (body[name] !== undefined) body[name] = toWire(body[name] as Item);
  return JSON.stringify(body);
}

function toWire(item: Item): Wire {
  const sent: Wire = {};
  for (const [name, value] of Object.entries(item)) sent[name] = value.B === undefined ? value : { B: base64(value.B) };
  return sent;
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** The answer of a call that succeeded. */
export function answerOf(text: string): Answer {
  const answer = JSON.parse(text) as Answer;
  for (const item of answer.Items ?? []) fromWire(item);
  for (const item of [answer.Item, answer.Attributes, answer.LastEvaluatedKey]) if (item !== undefined) fromWire(item);
  return answer;
}

/** In place: the answer is nobody else's yet. */
function fromWire(item: Item): Item {
  for (const name in item) {
    const { B: told } = item[name] as { readonly B?: unknown };
    if (typeof told === 'string') item[name] = { B: Buffer.from(told, 'base64') } satisfies Attribute;
  }
  return item;
}

/** Why the service refused a call. What is no JSON came from something before it. */
export function errorOf(status: number, text: string): TableError {
  const { __type: type, message, Message, Item: item } = refusalOf(text);
  const name = type?.split('#').at(-1) ?? `HTTP status ${status}`;
  return new TableError(name, message ?? Message ?? name, item && fromWire(item));
}

interface Refusal {
  readonly __type?: string;
  readonly message?: string;
  readonly Message?: string;
  readonly Item?: Item;
}

function refusalOf(text: string): Refusal {
  try {
    return (JSON.parse(text) as Refusal | null) ?? {};
  } catch {
    return {};
  }
}
