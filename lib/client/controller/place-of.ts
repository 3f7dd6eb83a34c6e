import { StatusError } from '#lib/machinery/errors.ts';

/** Lines of a stack, and characters of each, that are read: whoever throws may write what he likes. */
const LINES = 50;
const LINE = 1024;
const PLACE = /:\d+:\d+$/;
/** This file in a stack that is taken in it. */
const HERE = /^(.*\/)lib\/client\/controller\/place-of\.[jt]s:\d+:\d+$/;
/** Folders of this program in which no function of a user is. */
const OWN = ['lib/', 'exports/', 'adapters/', 'local/functions/'];

/** Where this program is; undefined in a bundle, whose places do not say whose they are. */
const root = HERE.exec(framesOf(new Error('here'))[0] ?? '')?.[1];

/**
 * Where in a function's own source an error was thrown, or what it called was refused: `/functions/sites.ts:12:9`. Undefined where
 * no such place is known.
 */
export function placeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || (root === undefined && error instanceof StatusError)) return undefined;
  return framesOf(error).find((frame) => !isOwn(frame));
}

/** The nearest first. */
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
