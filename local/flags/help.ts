import { type Command, type Help, Option } from 'commander';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';

/** The flags that `--help` shows. They include all flags in README.md. `--help-all` shows every flag. */
export const MOST_USED: readonly string[] = [
  '--port',
  '--host',
  '--data-dir',
  '--in-memory',
  '--functions',
  '--simulated-nodes',
  '--merge-kubeconfig',
  '--verbose',
  '--config',
];
const HELP = ['--help', '--help-all', '--version'];
/** The server's flags that commands on the same data also accept. */
const STORED = ['--data-dir', '--encryption-provider-config'];
const TAKEN: Readonly<Record<string, readonly string[]>> = {
  check: STORED,
  export: STORED,
  import: STORED,
  restore: STORED,
  redrive: ['--data-dir'],
  replay: ['--data-dir'],
  'events replay': STORED,
  'node add': ['--data-dir'],
  status: ['--data-dir'],
  stop: ['--data-dir'],
};
const HELP_HEADING = 'Help:';

/** Adds the flags to the command. */
export const helpFlags = (command: Command): Command =>
  command
    .addOption(new Option('--help-all', 'print every flag, grouped by subject').helpGroup(HELP_HEADING))
    .version(`Kubernetes ${GIT_VERSION}`, '--version', 'print the version');

/** Adds the accepted server flags to the help of each command. */
export function takenFlags(command: Command): void {
  for (const [path, taken] of Object.entries(TAKEN)) {
    const named = path
      .split(' ')
      .reduce<Command | undefined>((at, name) => at?.commands.find((one) => one.name() === name), command);
    named?.configureHelp({
      showGlobalOptions: true,
      visibleGlobalOptions: () => command.options.filter(({ long }) => taken.includes(long ?? '')),
    });
  }
}

/** Puts commands before the most used flags in `--help`. Call it after the commands are added, because they would inherit the setting. */
export function shortHelp(command: Command): void {
  command.configureHelp({
    formatHelp: (shown, help) =>
      sections(shown, help, [
        [
          'Commands:',
          help.visibleCommands(shown).map((one) => [help.subcommandTerm(one), help.subcommandDescription(one)]),
        ],
        ['Most used flags:', itemsOf(mostUsed(help.visibleOptions(shown)), help)],
      ]),
  });
  command.on('option:help-all', () => {
    command.configureHelp({ formatHelp: (shown, help) => sections(shown, help, groups(shown, help)) });
    command.help();
  });
}

/** Adds the server's most used flags, which belong to the top-level command, to the help of `start`. */
export const startHelp = (start: Command): Command =>
  start.configureHelp({
    showGlobalOptions: true,
    formatHelp: (shown, help) => {
      const flags = mostUsed([...help.visibleGlobalOptions(shown), ...help.visibleOptions(shown)]);
      return sections(shown, help, [['Most used flags:', itemsOf(flags, help)]]);
    },
  });

/** A term and its description. */
type Item = readonly [term: string, description: string];
type Section = readonly [heading: string, items: readonly Item[]];

const mostUsed = (options: readonly Option[]): Option[] =>
  [...MOST_USED, ...HELP].flatMap((long) => options.filter((option) => option.long === long));

const itemsOf = (options: readonly Option[], help: Help): Item[] =>
  options.map((option) => [help.optionTerm(option), help.optionDescription(option)]);

function groups(command: Command, help: Help): Section[] {
  const byHeading = Map.groupBy(
    help.visibleOptions(command),
    ({ helpGroupHeading = HELP_HEADING }) => helpGroupHeading,
  );
  return [...byHeading].map(([heading, options]) => [heading, itemsOf(options, help)]);
}

function sections(command: Command, help: Help, all: readonly Section[]): string {
  const width = Math.max(...all.flatMap(([, items]) => items.map(([term]) => term.length)));
  const head = [`Usage: ${help.commandUsage(command)}`, '', help.commandDescription(command), ''];
  const lists = all.map(([heading, items]) =>
    help.formatItemList(
      heading,
      items.map(([term, description]) => help.formatItem(term, width, description, help)),
      help,
    ),
  );
  return [...head, ...lists.flat()].join('\n');
}
