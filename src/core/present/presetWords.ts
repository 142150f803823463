import type { Translate } from '../base/translate';

/** The reasons of the presets' tables in the person's language; undefined for any other text. */
export function presetReasonWords(text: string, t: Translate): string | undefined {
  switch (text) {
    case 'this file usually holds a private key, or is a copy of one':
      return t('this file usually holds a private key, or is a copy of one');
    case 'this file belongs to the folder in which keys and the machines that they open are kept':
      return t('this file belongs to the folder in which keys and the machines that they open are kept');
    case 'this file signs in to a cloud':
      return t('this file signs in to a cloud');
    case 'this file signs in to a cluster or a registry of images':
      return t('this file signs in to a cluster or a registry of images');
    case 'this file holds what an infrastructure was made with, passwords included':
      return t('this file holds what an infrastructure was made with, passwords included');
    case 'this file signs in to a host of code, a registry of packages or a vault':
      return t('this file signs in to a host of code, a registry of packages or a vault');
    case 'this file signs in to a database or a site':
      return t('this file signs in to a database or a site');
    case 'this file says by its name that it holds credentials':
      return t('this file says by its name that it holds credentials');
    case 'this file opens a private network':
      return t('this file opens a private network');
    case 'this file is a history of what was typed, passwords included':
      return t('this file is a history of what was typed, passwords included');
    case 'this file holds the sessions and passwords of a browser':
      return t('this file holds the sessions and passwords of a browser');
    case 'git runs what this file names, or keeps what was committed in it':
      return t('git runs what this file names, or keeps what was committed in it');
    case 'an editor takes this file for its settings and runs what it names':
      return t('an editor takes this file for its settings and runs what it names');
    case 'an agent takes this file for its settings, its rules or its memory':
      return t('an agent takes this file for its settings, its rules or its memory');
    case 'an agent takes this file for its instructions':
      return t('an agent takes this file for its instructions');
    case 'a shell or an interpreter runs this file whenever it starts':
      return t('a shell or an interpreter runs this file whenever it starts');
    case 'the system starts what this file names, at a login or at a time':
      return t('the system starts what this file names, at a login or at a time');
    case 'a package manager takes programs or their addresses from this file':
      return t('a package manager takes programs or their addresses from this file');
    case 'this file runs with every commit':
      return t('this file runs with every commit');
    case 'this file chooses the programs that run in this folder':
      return t('this file chooses the programs that run in this folder');
    case 'a host runs this file with every push, with the keys of the project':
      return t('a host runs this file with every push, with the keys of the project');
    case 'this file says what a build runs':
      return t('this file says what a build runs');
    case 'this file names what is installed and what is run with it':
      return t('this file names what is installed and what is run with it');
    case 'a test run or a tool of the build runs this file':
      return t('a test run or a tool of the build runs this file');
    case 'this file says what a container or a machine runs':
      return t('this file says what a container or a machine runs');
    case 'other programs run what this file says of their own accord':
      return t('other programs run what this file says of their own accord');
    case 'this file says what a build, a test or a container runs':
      return t('this file says what a build, a test or a container runs');
  }
  return undefined;
}
