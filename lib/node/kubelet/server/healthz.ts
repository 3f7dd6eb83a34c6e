import { type NodeAnswer, type NodeRequest, textAnswer } from './node-request.ts';
import type { ServerPorts } from './ports.ts';
import type { PathParts } from './routes.ts';

/** The checks of `/healthz` in upstream's order. Each returns the reason of a failure, or undefined. */
const CHECKS: readonly (readonly [string, (ports: ServerPorts) => string | undefined])[] = [
  ['ping', () => undefined],
  ['log', () => undefined],
  ['syncloop', (ports) => ports.syncLoopFault()],
];

/** `/healthz`, and the paths of single checks below it. */
export function healthz(ports: ServerPorts, { query }: NodeRequest, { check = '' }: PathParts): NodeAnswer {
  const checks = check === '' ? CHECKS : CHECKS.filter(([name]) => name === check);
  if (checks.length === 0) return textAnswer(404, '404 page not found\n');
  const lines = checks.map(([name, run]) => ({ name, fault: run(ports) }));
  const report = lines.map(({ name, fault }) =>
    fault === undefined ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`,
  );
  if (lines.some(({ fault }) => fault !== undefined))
    return textAnswer(500, check === '' ? `${report.join('')}healthz check failed\n` : internal(lines[0]?.fault));
  return textAnswer(200, check === '' && query.has('verbose') ? `${report.join('')}healthz check passed\n` : 'ok');
}

const internal = (fault = ''): string => `internal server error: ${fault}\n`;
