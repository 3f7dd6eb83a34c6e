import { Argument, type Command } from 'commander';
import { bashScript } from '../completion/bash.ts';
import { completedCommands } from '../completion/completed-commands.ts';
import { fishScript } from '../completion/fish.ts';
import { zshScript } from '../completion/zsh.ts';

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;

/** Adds `completion`, which prints a completion script for a shell. */
export function completionCommand(command: Command): void {
  command
    .command('completion')
    .description('print a script that completes commands and flags: eval "$(davit completion bash)"')
    .addArgument(new Argument('<shell>', 'the shell').choices(Object.keys(SCRIPTS)))
    .action((shell: Shell) => void process.stdout.write(SCRIPTS[shell](completedCommands(command))));
}
