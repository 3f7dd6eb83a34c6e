import { GA, OFF, ON } from './generated/feature-gates.ts';

const TRUE = ['1', 't', 'T', 'true', 'TRUE', 'True'];
const FALSE = ['0', 'f', 'F', 'false', 'FALSE', 'False'];

const DEFAULTS: ReadonlyMap<string, boolean> = new Map([
  ...[...GA, ...ON].map((name): [string, boolean] => [name, true]),
  ...[...OFF, 'AllAlpha', 'AllBeta'].map((name): [string, boolean] => [name, false]),
]);
const general = new Set(GA);

/**
 * Validates upstream's --feature-gates. Every gate is locked to its default. Returns a warning for each GA gate. Throws TypeError with
 * upstream's text for an unknown gate or a value other than the default.
 */
export function checkFeatureGates(text: string): string[] {
  const gates = text
    .split(',')
    .filter((one) => one !== '')
    .map(gateOf);
  const errors = gates.flatMap(([name, on]) => refusals(name, on));
  if (errors.length > 0) throw new TypeError(errors.join('; '));
  return gates
    .filter(([name]) => general.has(name))
    .map(([name, on]) => `Setting GA feature gate ${name}=${on}. It will be removed in a future release.`);
}

function gateOf(text: string): readonly [string, boolean] {
  const [name = '', ...rest] = text.split('=').map((part) => part.trim());
  if (rest.length === 0) throw new TypeError(`missing bool value for ${name}`);
  const value = rest.join('=');
  if (TRUE.includes(value)) return [name, true];
  if (FALSE.includes(value)) return [name, false];
  throw new TypeError(
    `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
  );
}

function refusals(name: string, on: boolean): string[] {
  const usual = DEFAULTS.get(name);
  if (usual === undefined) return [`unrecognized feature gate: ${name}`];
  return usual === on ? [] : [`cannot set feature gate ${name} to ${on}, feature is locked to ${usual}`];
}
