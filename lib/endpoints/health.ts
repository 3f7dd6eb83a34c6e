import { text, type Route } from './non-resource.ts';

/** One thing that must hold for the server to be healthy. Throws when it does not. */
export interface HealthCheck {
  readonly name: string;
  check(): Promise<void>;
}

/** /healthz, /livez and /readyz, with `verbose`, `exclude` and one path a check: upstream's healthz handlers. */
export function healthRoutes(checks: {
  readonly live: readonly HealthCheck[];
  readonly ready: readonly HealthCheck[];
}): readonly Route[] {
  return [...endpoint('healthz', checks.ready), ...endpoint('livez', checks.live), ...endpoint('readyz', checks.ready)];
}

function endpoint(name: string, checks: readonly HealthCheck[]): Route[] {
  return [
    { path: `/${name}`, handle: (request) => report(name, checks, request.query) },
    ...checks.map(
      (check): Route => ({
        path: `/${name}/${check.name}`,
        handle: (request) => report(`${name}/${check.name}`, [check], request.query),
      }),
    ),
  ];
}

async function report(name: string, checks: readonly HealthCheck[], query: URLSearchParams) {
  const excluded = new Set(query.getAll('exclude'));
  const lines = await Promise.all(checks.map((check) => outcome(check, excluded)));
  const failed = lines.some((line) => line.startsWith('[-]'));
  if (!failed && !query.has('verbose')) return text('ok');
  return text(`${lines.join('\n')}\n${name} check ${failed ? 'failed' : 'passed'}\n`, failed ? 500 : 200);
}

async function outcome({ name, check }: HealthCheck, excluded: ReadonlySet<string>): Promise<string> {
  if (excluded.has(name)) return `[+]${name} excluded: ok`;
  return check().then(
    () => `[+]${name} ok`,
    () => `[-]${name} failed: reason withheld`,
  );
}
