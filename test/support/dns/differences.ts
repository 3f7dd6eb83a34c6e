import type { Compared } from './ask.ts';
import type { Asked } from './questions.ts';

/** A question with the responses of both servers. */
export interface Pair {
  readonly asked: Asked;
  readonly ours: Compared;
  readonly theirs: Compared;
}

/** Intended differences: docs/compatibility.md gives the reason for each. */
const MEANT: Readonly<Record<string, (pair: Pair) => boolean>> = {
  'a name with records of another type is there': ({ asked, ours, theirs }) =>
    isOwn(asked.name) && ours.rcode === 0 && ours.answers.length === 0 && theirs.rcode === 3,
  'letters of the domain have any case': ({ asked, ours, theirs }) =>
    asked.name !== asked.name.toLowerCase() &&
    theirs.answers.length === 0 &&
    ours.answers.some((line) => line.includes('ns.dns.')),
  'no SRV record has the port 0': ({ asked, ours, theirs }) =>
    asked.type === 'SRV' &&
    /[.]pod[.]cluster[.]local$/i.test(asked.name) &&
    ours.answers.length === 0 &&
    theirs.answers.every((line) => line.includes(',port:0,')),
  'the TC bit tells of answers alone': ({ ours, theirs }) =>
    !ours.flags.includes('TC') && theirs.flags.includes('TC') && ours.answers.length > 0,
};

/** The names in the zone that do not belong to objects. */
const isOwn = (name: string): boolean => /^((ns[.]dns|dns-version)[.])?cluster[.]local$/i.test(name);

/** The name of the intended difference between two responses. Undefined if they are equal, and '' for an unintended difference. */
export function differenceOf(pair: Pair): string | undefined {
  if (JSON.stringify(pair.ours) === JSON.stringify(pair.theirs)) return undefined;
  return Object.entries(MEANT).find(([, applies]) => applies(pair))?.[0] ?? '';
}

/** Whether the two servers intentionally respond differently to the message: another class, a NOTIFY, or a question without its type. */
export function isMeantFault(message: Buffer): boolean {
  if (((message[2] ?? 0) & 0x78) === 0x20) return true;
  let end = 12;
  for (let length = message[end] ?? 0; length > 0 && length < 64; length = message[end] ?? 0) end += 1 + length;
  return end + 5 > message.length || message.readUInt16BE(end + 3) !== 1;
}
