import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { type Route, text } from './non-resource.ts';

/** A condition that the server must meet to be healthy. Throws if it is not met. */
export interface HealthCheck {
  readonly name: string;
  /** Set if the check covers only readiness. A server that fails it is still live. */
  readonly readiness?: true;
  check(): Promise<void>;
}

/** Serves /healthz, /livez and /readyz, with `verbose`, `exclude` and one path per check, like upstream's healthz handlers. */
export function healthRoutes(checks: readonly HealthCheck[]): readonly Route[] {
  const live = checks.filter(({ readiness }) => readiness !== true);
  return [...endpoint('healthz', live), ...endpoint('livez', live), ...endpoint('readyz', checks)];
}

function endpoint(name: string, checks: readonly HealthCheck[]): Route[] {
  return [
    {
      path: `/${name}`,
      method: 'any',
      handle: (context) => report({ name, checks, query: context.request.query }, context),
    },
    ...checks.map(
      (check): Route => ({
        path: `/${name}/${check.name}`,
        method: 'any',
        handle: (context) => single(check, context),
      }),
    ),
  ];
}

/** A check requested by its own path reports why it fails. */
async function single({ name, check }: HealthCheck, { outcome: reported }: RequestContext) {
  return check().then(
    () => text('ok'),
    (error: unknown) => {
      reported.error = `${name}: ${messageOfError(error)}`;
      return failure(`internal server error: ${messageOfError(error)}\n`);
    },
  );
}

interface Asked {
  readonly name: string;
  readonly checks: readonly HealthCheck[];
  readonly query: URLSearchParams;
}

/** The log contains the reasons, which the response omits. */
async function report({ name, checks, query }: Asked, { outcome: reported }: RequestContext) {
  const excluded = new Set(query.getAll('exclude'));
  const faults: string[] = [];
  const lines = await Promise.all(checks.map((check) => outcome(check, excluded, faults)));
  const unknown = [...excluded].filter((asked) => checks.every((check) => check.name !== asked)).sort();
  if (unknown.length > 0) {
    lines.push(`warn: some health checks cannot be excluded: no matches for ${unknown.map(quote).join(', ')}`);
  }
  const shown = lines.map((line) => `${line}\n`).join('');
  if (faults.length > 0) {
    reported.error = faults.join('; ');
    return failure(`${shown}${name} check failed\n`);
  }
  return unguessed(query.has('verbose') ? `${shown}${name} check passed\n` : 'ok', 200);
}

const failure = (body: string) => unguessed(body, 500);

function unguessed(body: string, status: number) {
  const response = text(body, status);
  return { ...response, headers: { ...response.headers, 'x-content-type-options': 'nosniff' } };
}

/** Returns the line of a check. Adds the reason to `faults` if the check fails. */
async function outcome({ name, check }: HealthCheck, excluded: ReadonlySet<string>, faults: string[]): Promise<string> {
  if (excluded.has(name)) return `[+]${name} excluded: ok`;
  return check().then(
    () => `[+]${name} ok`,
    (error: unknown) => {
      faults.push(`${name}: ${messageOfError(error)}`);
      return `[-]${name} failed: reason withheld`;
    },
  );
}
