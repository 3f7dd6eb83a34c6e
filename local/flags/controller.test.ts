import { Command } from 'commander';
import { expect, test } from 'vitest';
import { type ControllerFlags, controllerFlags, controllersOf } from './controller.ts';

const parse = (...argv: string[]) =>
  controllersOf(controllerFlags(new Command()).parse(argv, { from: 'user' }).opts<ControllerFlags>());

test.each<[string[], string[]]>([
  [[], ['*']],
  [
    ['--controllers', '*,-garbage-collector-controller'],
    ['*', '-garbage-collector-controller'],
  ],
  [['--controllers', 'namespace-controller'], ['namespace-controller']],
])('reads the controllers from %j', (argv, controllers) => {
  expect(parse(...argv)).toEqual({ controllers, nodeMonitorGracePeriod: 50_000 });
});

test('accepts only a positive duration for the node monitor grace period', () => {
  expect(parse('--node-monitor-grace-period=5m').nodeMonitorGracePeriod).toBe(300_000);
  const strict = () => controllerFlags(new Command().exitOverride().configureOutput({ writeErr: () => undefined }));
  expect(() => strict().parse(['--node-monitor-grace-period=0s'], { from: 'user' })).toThrow('above zero');
});

test('rejects an unknown controller', () => {
  expect(() => parse('--controllers=*,-route')).toThrow(
    '--controllers: "route" is not in the list of known controllers',
  );
});
