import { Command } from 'commander';
import { expect, test } from 'vitest';
import { controllerFlags, controllersOf, type ControllerFlags } from './controller.ts';

const parse = (...argv: string[]) =>
  controllersOf(controllerFlags(new Command()).parse(argv, { from: 'user' }).opts<ControllerFlags>());

test.each<[string[], string[]]>([
  [[], ['*']],
  [
    ['--controllers', '*,-garbage-collector-controller'],
    ['*', '-garbage-collector-controller'],
  ],
  [['--controllers', 'namespace-controller'], ['namespace-controller']],
])('%j', (argv, controllers) => {
  expect(parse(...argv)).toEqual({ controllers });
});

test('a controller that is not there is refused', () => {
  expect(() => parse('--controllers=*,-route')).toThrow(
    '--controllers: "route" is not in the list of known controllers',
  );
});
