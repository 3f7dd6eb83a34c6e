import { StatusError } from '#lib/machinery/errors.ts';

/** The maximum number of stack lines to read, and of characters per line. A thrown error may have an arbitrary stack. */
const LINES = 50;
const LINE = 1024;
const PLACE = /:\d+:\d+$/;
/** Matches the location of this file in a stack that is captured here. */
const HERE = /^(.*\/)lib\/client\/controller\/place-of\.[jt]s:\d+:\d+$/;
/** Folders of this program that contain no user functions. */
const OWN = ['lib/', 'exports/', 'adapters/', 'local/functions/'];

/** The root folder of this program. Undefined in a bundle, where locations do not distinguish the program from functions. */
const root = HERE.exec(framesOf(new Error('here'))[0] ?? '')?.[1];

/**
 * The location in a function's source that threw an error or made a rejected call: `/functions/sites.ts:12:9`. Undefined if no such
 * location is known.
 */
export function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || (root === undefined && error instanceof StatusError)) return undefined;
  return framesOf(error).find((frame) => !isOwn(frame));
}

/** The stack frames, innermost first. */
function framesOf({ stack = '' }: Error): readonly string[] {
  const lines = stack.split('\n', LINES).map((line) => line.slice(0, LINE).trim());
  const frames = lines.filter((line) => line.startsWith('at ')).map((line) => line.slice(line.lastIndexOf('(') + 1));
  return frames
    .map((frame) =>
      frame
        .replace(/^(at async |at )/, '')
        .replace(/^file:\/\//, '')
        .replace(/\)$/, ''),
    )
    .filter((frame) => PLACE.test(frame));
}

const isOwn = (frame: string): boolean =>
  frame.startsWith('node:') || (root !== undefined && OWN.some((folder) => frame.startsWith(`${root}${folder}`)));
