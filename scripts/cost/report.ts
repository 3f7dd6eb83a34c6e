import { defined } from '#lib/machinery/defined.ts';
import type { FrontDoor } from '../../infra/context.ts';
import { ASSUMED, idleLines } from './idle.ts';
import { ASSUMED_OF_LOAD, loadLines } from './load.ts';
import { ASSUMED_OF_METRICS, metricsLines } from './metrics.ts';
import { ASSUMED_OF_NODE, ASSUMED_OF_TIME, monthLines } from './month.ts';
import { type Asked, askedOf, HELP } from './options.ts';
import { dollarsOf, LIST, type Line, PRICES, total } from './prices.ts';
import { synthesized } from './template.ts';

/** The output of `npm run cost`. Throws TypeError with a one-line message for invalid options. */
export function report(args: readonly string[]): string {
  const asked = askedOf(args);
  if (asked === undefined) return HELP;
  const sections = asked.doors.map((frontDoor) => section(frontDoor, asked));
  return [...sections, legend(asked)].join('\n\n');
}

/** The cost lines of a month behind a front door, both idle and for the requested load. */
export function linesOf(
  frontDoor: FrontDoor,
  { functions, load, month }: Omit<Asked, 'doors' | 'isIdle'>,
): readonly Line[] {
  const idle = idleLines(synthesized({ frontDoor, ...defined({ functions }) }));
  return [...idle, ...loadLines(load, frontDoor), ...monthLines(month, frontDoor)].filter(
    ({ quantity }) => quantity > 0,
  );
}

/** The total, then each service and its lines. */
function section(frontDoor: FrontDoor, asked: Asked): string {
  const lines = linesOf(frontDoor, asked);
  const title = `${frontDoor}: ${asked.isIdle ? 'an idle month' : 'a month'}, ${dollars(total(lines), 2)}`;
  const services = Object.entries(Object.groupBy(lines, serviceOf)).map(([name, of = []]) => ({
    name,
    of,
    sum: total(of),
  }));
  const parts = services
    .toSorted((a, b) => b.sum - a.sum)
    .flatMap(({ name, of, sum }) => [`  ${dollars(sum, 2).padStart(10)}  ${name}`, ...of.map(row)]);
  return [title, ...parts].join('\n');
}

/** The service, from the URL of the price's source. */
const serviceOf = ({ price }: Line): string => PRICES[price].source.split('/')[3] ?? '';

const dollars = (amount: number, digits: number): string => `$${amount.toFixed(digits)}`;

function row(line: Line): string {
  const { unit } = PRICES[line.price];
  const amount = line.quantity.toLocaleString('en-US', { maximumSignificantDigits: 6 });
  return `    ${dollars(dollarsOf(line), 4).padStart(12)}  ${line.what}: ${amount} × ${unit}`;
}

function legend({ isIdle, month }: Asked): string {
  const assumed = {
    ...ASSUMED,
    ...(isIdle ? {} : { ...ASSUMED_OF_LOAD, ...ASSUMED_OF_TIME }),
    ...(month.nodes === 0 ? {} : ASSUMED_OF_NODE),
    ...(metricsLines(month.metrics, { nodes: month.nodes, frontDoor: 'function-url' }).length === 0
      ? {}
      : ASSUMED_OF_METRICS),
  };
  return [
    `List prices of ${LIST.region} as of ${LIST.asOf}, no free tier, from the pages:`,
    ...new Set(Object.values(PRICES).map(({ source }) => `  ${source}`)),
    'Assumed:',
    ...Object.entries(assumed).map(([name, value]) => `  ${name} = ${value}`),
  ].join('\n');
}
