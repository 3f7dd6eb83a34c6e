import { isTest, room } from './rooms.ts';

/** A mechanism with a single home. `regex` finds copies of it elsewhere. */
export interface Pattern {
  /** The row's name in the table of CONTRIBUTING.md. */
  readonly name: string;
  /** Must have the flag `g`. Each match is one copy, even in a comment. */
  readonly regex: RegExp;
  /** The goal for the count, as in the last column of the table. */
  readonly goal: string;
  /** Paths whose code is not counted: the home, and code that cannot use it. Each is a file, or a folder that ends with `/`. */
  readonly exempt: readonly string[];
  /** Whether to search the tests instead of the code. */
  readonly ofTests?: true;
}

/** A new row also needs two copies in patterns.test.ts. `npm run house -- --write` then adds it to CONTRIBUTING.md. */
export const PATTERNS: readonly Pattern[] = [
  {
    name: 'Patterns: waits in tests outside their home',
    regex:
      /\bexpect\s*\.poll\(|\bvi\.wait(?:For|Until)\(|\b(?:while|for) \((?!const )[^\n]*(?:\n\s*)?await (?:sleep|pause)\(|; await (?:sleep|pause)\(\w*\)\)/g,
    goal: '≤ 0',
    exempt: ['test/support/eventually.ts', 'test/store/chaos.ts'],
    ofTests: true,
  },
  {
    name: 'Patterns: pending work of tests awaited outside its home',
    regex:
      /\bnew Promise[^;\n]{0,60}\bsetImmediate\b|; \w+ < \w+; [^\n)]*\) await (?:Promise\.resolve|turn|settled?)\(\)/g,
    goal: '≤ 0',
    exempt: ['test/support/settled.ts', 'test/support/event-clock.ts'],
    ofTests: true,
  },
  {
    name: 'Patterns: sleeps in tests',
    regex: /\bawait (?:sleep|pause)\(|\bnew Promise[^;\n]{0,60}\bsetTimeout\(/g,
    goal: '≤ 10',
    exempt: ['test/support/eventually.ts', 'test/store/', 'adapters/clock.test.ts'],
    ofTests: true,
  },
  {
    name: 'Patterns: IP addresses parsed outside their home',
    regex:
      /\bimport \{[^}]*\b(?:isIP(?:v[46])?|BlockList)\b[^}]*\} from 'node:net'|\bbytes\.length === (?:4|16)\b|0xff00 >>|0xff <<|<< 8n|::ffff:(?!0:)|127\\\.|0\\\.0\\\.0|\^\[\\d\.\]\+\$|\[0-9a-fA-F\]\{1,4\}|\.includes\(':'\) \? (?!`\[)/g,
    goal: '≤ 0',
    exempt: ['lib/machinery/net/'],
  },
  {
    name: 'Patterns: host and port joined outside the home',
    regex: /\? `\[\$\{[\w.]+\}\][^`]*`\s*:/g,
    goal: '≤ 0',
    exempt: ['lib/machinery/net/'],
  },
  {
    name: 'Patterns: exponential delays outside their home',
    regex:
      /[\w.#]+ \* (?:2|\w*(?:factor|growth)) \*\* (?!\d)|\bMath\.min\([^()\n]*?(?:(?:wait|delay|pause|backoff) \* 2|2 \* [\w.#]*(?:wait|delay|pause|backoff))\b|\b\w*(?:wait|delay|pause|backoff) \*= |\* \((?:1 [-+]|0\.5 \+)[^()\n]*\brandom\(\)/gi,
    goal: '≤ 0',
    // bits of addresses and buckets of histograms also grow exponentially
    exempt: [
      'lib/machinery/wait/',
      'lib/machinery/net/',
      'lib/node/proxy/metrics.ts',
      'lib/scheduler/metrics/',
      'lib/server/endpoints/metrics/',
    ],
  },
  {
    name: 'Patterns: races outside the home of time-outs',
    regex: /\bPromise\.race\(/g,
    goal: '≤ 6',
    exempt: ['lib/machinery/wait/'],
  },
  {
    name: 'Patterns: abort listeners outside their home',
    regex: /\baddEventListener\(\s*'abort'/g,
    goal: '≤ 0',
    exempt: ['lib/machinery/wait/'],
  },
  {
    name: 'Patterns: terminal phases of pods outside their home',
    regex:
      /'(?:Succeeded|Failed)' (?:\|\||&&) [^;\n]{0,40}'(?:Succeeded|Failed)'|\['(?:Succeeded|Failed)', '(?:Succeeded|Failed)'\]\.includes\(/g,
    goal: '≤ 0',
    exempt: ['lib/helpers/component-helpers/pod/phase.ts'],
  },
  {
    name: 'Patterns: conditions found or set outside their home',
    regex:
      /\bconditions\b[^\n]*\.find(?:Index)?\(\(?[^)]*\)? => (?:\w+\.)?type === |\.status === [\w.']+ \? \(?\w+\.lastTransitionTime/g,
    goal: '≤ 0',
    // definitions also set a missing transition time, and a template cannot import from lib
    exempt: [
      'lib/machinery/conditions.ts',
      'lib/server/apiextensions/conditions.ts',
      'local/commands/operator-template.ts',
    ],
  },
  {
    name: 'Patterns: bounds of integers outside their home',
    regex: /\b2n? \*\* (?:31|63|64)n?\b|\b2_?147_?483_?64[78]\b(?!\))|\b0x7fff_?ffff\b/g,
    goal: '≤ 0',
    // the cost of an unbounded expression
    exempt: ['lib/machinery/integer-limits.ts', 'lib/api/cel/cost/estimate.ts'],
  },
  {
    name: 'Patterns: kubeconfigs outside their home',
    regex: /'current-context':/g,
    goal: '≤ 0',
    exempt: ['lib/helpers/clientcmd/'],
  },
  {
    name: 'Patterns: times of objects formatted outside their home',
    regex: /\btimeText\(instantOf\(|\.toISOString\(\)\.slice\(0, 19\)\}Z/g,
    goal: '≤ 0',
    exempt: ['lib/machinery/time-at.ts'],
  },
];

/** A source file, by its path from the root of the checkout. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** The folder of this table, which its own regular expressions would match. */
const OWN = 'scripts/house/';

/** Counts the copies of each mechanism in the sources outside its exempt paths, by row name. */
export const patternFacts = (
  sources: readonly Source[],
  patterns: readonly Pattern[] = PATTERNS,
): Readonly<Record<string, number>> =>
  Object.fromEntries(
    patterns.map(({ name, regex, exempt, ofTests = false }) => [
      name,
      sources
        .filter(
          ({ path }) =>
            (isTest(path) || room(path) === 'test') === ofTests &&
            ![OWN, ...exempt].some((one) => path.startsWith(one)),
        )
        .reduce((count, { text }) => count + (text.match(regex)?.length ?? 0), 0),
    ]),
  );
