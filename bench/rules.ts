import { CompileError, compile } from '#lib/api/cel/compile.ts';
import { environment } from '#lib/api/cel/environment.ts';
import { kubernetesEstimator, kubernetesLibraries } from '#lib/api/cel/library/kubernetes.ts';
import { program } from '#lib/api/cel/program.ts';
import { optional } from '#lib/api/cel/stdlib/optional.ts';
import { standard } from '#lib/api/cel/stdlib/standard.ts';
import { twoVariables } from '#lib/api/cel/stdlib/two-variables.ts';
import { CelError } from '#lib/api/cel/values/value.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { declType } from '#lib/server/apiextensions/cel/decl-type.ts';
import { SchemaTypes } from '#lib/server/apiextensions/cel/types.ts';
import { toValue } from '#lib/server/apiextensions/cel/values.ts';

function objectOf(fields: Readonly<Record<string, Structural>>): Structural {
  return { type: 'object', properties: new Map(Object.entries(fields)) };
}

const schema = objectOf({
  name: { type: 'string' },
  image: { type: 'string' },
  replicas: { type: 'integer' },
  minReplicas: { type: 'integer' },
  maxReplicas: { type: 'integer' },
  ratio: { type: 'number' },
  paused: { type: 'boolean' },
  ports: { type: 'array', items: objectOf({ name: { type: 'string' }, port: { type: 'integer' } }) },
  labels: objectOf({ app: { type: 'string' }, tier: { type: 'string' } }),
});

const object = {
  name: 'web-frontend',
  image: 'registry.example/web:1.2.3',
  replicas: 3,
  minReplicas: 1,
  maxReplicas: 10,
  ratio: 0.5,
  paused: false,
  ports: [
    { name: 'http', port: 80 },
    { name: 'https', port: 443 },
  ],
  labels: { app: 'web', tier: 'front' },
};

const rules = [
  'self.replicas >= self.minReplicas',
  'self.replicas <= self.maxReplicas',
  "self.name.startsWith('web-')",
  '!has(self.paused) || !self.paused || self.replicas == 0',
  'self.ratio > 0.0 && self.ratio < 1.0',
  "self.labels.app == 'web'",
  'size(self.ports) <= 8',
  'self.ports.all(p, p.port > 0 && p.port < 65536)',
  "has(self.labels.tier) ? self.labels.tier in ['front', 'back'] : true",
  'self.maxReplicas - self.minReplicas < 100',
];

const rounds = 20_000;

/** Measures ten rules on one object after a warm-up, and the compilation of one rule. */
export function measureRules(): void {
  const type = declType(schema);
  if (!type) throw new Error('the schema has no type');
  const types = new SchemaTypes(type);
  const libraries = [standard, optional, twoVariables, ...kubernetesLibraries];
  const env = environment({ libraries, types, estimator: kubernetesEstimator(), variables: { self: types.self } });
  const prepare = (rule: string) => {
    const compiled = compile(rule, env);
    if (compiled instanceof CompileError) throw new Error(compiled.message);
    const ready = program(compiled.checked, env);
    if (ready instanceof CelError) throw new Error(ready.message);
    return ready;
  };
  const programs = rules.map(prepare);
  const evaluate = () => {
    const self = toValue(object, schema);
    if (self instanceof CelError) throw new Error(self.message);
    const activation = { resolve: (name: string) => (name === 'self' ? self : undefined) };
    for (const [i, ready] of programs.entries()) {
      if (ready.evaluate(activation, 1_000_000).value !== true) throw new Error(`not true: ${rules[i]}`);
    }
  };
  console.log(`10 rules on one object: ${micros(evaluate, rounds).toFixed(1)} µs (bar 25)`);
  console.log(`compiling one rule: ${(micros(() => rules.forEach(prepare), 200) / rules.length).toFixed(1)} µs`);
}

/** Processor time in microseconds for one call after warm-up. */
function micros(work: () => void, times: number): number {
  for (let i = 0; i < times / 4; i++) work();
  const started = process.cpuUsage();
  for (let i = 0; i < times; i++) work();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / times;
}
