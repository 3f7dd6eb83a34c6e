import { messageOfError } from '#lib/machinery/error-message.ts';
import { parseArgs } from 'node:util';
import { defined } from '#lib/machinery/defined.ts';
import { FRONT_DOORS, type FrontDoor } from '../../infra/context.ts';
import { ASSUMED, idleLines } from './idle.ts';
import { ASSUMED_OF_LOAD, loadLines, type Load } from './load.ts';
import { dollarsOf, LIST, PRICES, total, type Line } from './prices.ts';
import { synthesized } from './template.ts';

const USAGE =
  'usage: npm run cost -- --idle | --requests N --watches N --objects N [--front-door NAME] [--functions FOLDER]';

/** The output of `npm run cost`. Throws TypeError, whose message is one line, for invalid options. */
export function report(args: readonly string[]): string {
  const { values } = parsed(args);
  const { functions } = values;
  const doors = doorsOf(values['front-door']);
  const load = values.idle === true ? undefined : loadOf(values);
  const sections = doors.map((frontDoor) => section({ frontDoor, ...defined({ functions }) }, load));
  return [...sections, legend(load !== undefined)].join('\n\n');
}

function parsed(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const options = {
    idle: { type: 'boolean' },
    requests: text,
    watches: text,
    objects: text,
    'front-door': text,
    functions: text,
  } as const;
  try {
    return parseArgs({ args: [...args], options });
  } catch (error) {
    throw new TypeError(`${messageOfError(error)}\n${USAGE}`, { cause: error });
  }
}

function doorsOf(name: string | undefined): readonly FrontDoor[] {
  if (name === undefined) return FRONT_DOORS;
  const door = FRONT_DOORS.find((each) => each === name);
  if (door === undefined) throw new TypeError(`--front-door is one of ${FRONT_DOORS.join(', ')}`);
  return [door];
}

function loadOf(values: Readonly<Record<string, unknown>>): Load {
  const amount = (name: string): number => {
    const text = String(values[name] ?? '');
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number) || number < 0)
      throw new TypeError(`--${name} is a number, as 1e6\n${USAGE}`);
    return number;
  };
  return { requests: amount('requests'), watches: amount('watches'), objects: amount('objects') };
}

/** The context values that have costs. */
interface Deployed {
  readonly frontDoor: FrontDoor;
  readonly functions?: string;
}

function section(deployed: Deployed, load: Load | undefined): string {
  const { frontDoor } = deployed;
  const lines = [...idleLines(synthesized({ ...deployed })), ...(load === undefined ? [] : loadLines(load, frontDoor))];
  const title = `${frontDoor}: ${load === undefined ? 'an idle month' : 'a month'}, ${dollars(total(lines), 2)}`;
  return [title, ...lines.map(row)].join('\n');
}

const dollars = (amount: number, digits: number): string => `$${amount.toFixed(digits)}`;

function row(line: Line): string {
  const { unit } = PRICES[line.price];
  const amount = line.quantity.toLocaleString('en-US', { maximumSignificantDigits: 6 });
  return `  ${dollars(dollarsOf(line), 4).padStart(10)}  ${line.what}: ${amount} × ${unit}`;
}

function legend(hasLoad: boolean): string {
  const assumed = { ...ASSUMED, ...(hasLoad ? ASSUMED_OF_LOAD : {}) };
  return [
    `List prices of ${LIST.region} as of ${LIST.asOf}, no free tier, from the pages:`,
    ...new Set(Object.values(PRICES).map(({ source }) => `  ${source}`)),
    'Assumed:',
    ...Object.entries(assumed).map(([name, value]) => `  ${name} = ${value}`),
  ].join('\n');
}
