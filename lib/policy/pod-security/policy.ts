import { FieldPath, invalid, type FieldError } from '#lib/machinery/validation/field.ts';

export const LEVELS = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof LEVELS)[number];

/** `latest`, or `v1.` with a minor version. */
export type PolicyVersion = string;
export const LATEST: PolicyVersion = 'latest';

export interface LevelVersion {
  readonly level: Level;
  readonly version: PolicyVersion;
}

/** What a namespace asks of its pods in each mode. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly audit: LevelVersion;
  readonly warn: LevelVersion;
}

export const MODES = ['enforce', 'audit', 'warn'] as const;
type Mode = (typeof MODES)[number];

const PREFIX = 'pod-security.kubernetes.io';
export const levelLabel = (mode: Mode): string => `${PREFIX}/${mode}`;
export const versionLabel = (mode: Mode): string => `${PREFIX}/${mode}-version`;

const PRIVILEGED: LevelVersion = { level: 'privileged', version: LATEST };
/** What holds where neither labels nor configuration say anything: upstream's own default. */
export const UNRESTRICTED: Policy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };

export const policyText = ({ level, version }: LevelVersion): string => `${level}:${version}`;

export const samePolicy = (a: LevelVersion, b: LevelVersion): boolean => a.level === b.level && a.version === b.version;

/** Below 0 where `a` is laxer than `b`, above where it is stricter. */
export const compareLevels = (a: Level, b: Level): number => LEVELS.indexOf(a) - LEVELS.indexOf(b);

export const isPrivileged = (policy: Policy): boolean => MODES.every((mode) => policy[mode].level === 'privileged');

export const LEVEL_FAULT = `must be one of ${LEVELS.join(', ')}`;
export const VERSION_FAULT = 'must be "latest" or "v1.x"';

export const isLevel = (text: string): text is Level => LEVELS.some((level) => level === text);

export function isPolicyVersion(text: string): boolean {
  return text === LATEST || (/^v1\.(?:0|[1-9]\d{0,18})$/.test(text) && BigInt(text.slice(3)) < 2n ** 63n);
}

/** The minor version; that of `latest` is above all others. */
export const minorOf = (version: PolicyVersion): number =>
  version === LATEST ? Number.POSITIVE_INFINITY : Number(version.slice(3));

/**
 * The policy of a namespace with these labels. There is one also where labels are wrong: a wrong level enforces restricted and
 * neither audits nor warns, a wrong version is the latest. An enforced level that is stricter is warned about as well.
 */
export function policyOf(
  labels: Readonly<Record<string, string>>,
  defaults: Policy,
): { readonly policy: Policy; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const labelled = (mode: Mode): LevelVersion => ({
    level: read(labels, levelLabel(mode), { valid: isLevel, fault: LEVEL_FAULT, errors }, (level) =>
      level === undefined ? defaults[mode].level : isLevel(level) ? level : fallback(mode),
    ),
    version: read(labels, versionLabel(mode), { valid: isPolicyVersion, fault: VERSION_FAULT, errors }, (version) =>
      version === undefined ? defaults[mode].version : isPolicyVersion(version) ? version : LATEST,
    ),
  });
  const policy = { enforce: labelled('enforce'), audit: labelled('audit'), warn: labelled('warn') };
  return { policy: warningWhatIsEnforced(policy, labels), errors };
}

const fallback = (mode: Mode): Level => (mode === 'enforce' ? 'restricted' : 'privileged');

interface Rule {
  readonly fault: string;
  readonly errors: FieldError[];
  valid(value: string): boolean;
}

function read<T>(
  labels: Readonly<Record<string, string>>,
  label: string,
  { valid, fault, errors }: Rule,
  decide: (value: string | undefined) => T,
): T {
  const value = labels[label];
  if (value !== undefined && !valid(value))
    errors.push(invalid(FieldPath.of('metadata', 'labels').key(label), value, fault));
  return decide(value);
}

function warningWhatIsEnforced(policy: Policy, labels: Readonly<Record<string, string>>): Policy {
  const { enforce, warn } = policy;
  if (labels[levelLabel('warn')] !== undefined || !isLevel(labels[levelLabel('enforce')] ?? '')) return policy;
  if (compareLevels(enforce.level, warn.level) <= 0) return policy;
  const version = labels[versionLabel('warn')] === undefined ? enforce.version : warn.version;
  return { ...policy, warn: { level: enforce.level, version } };
}
