import { strict as assert } from 'node:assert';
import { readPage } from '../../../../src/capabilities/webFetch/page/readPage';
import { pageInput } from '../../../support/pageInput';

const main = (html: string): string => readPage({ ...pageInput(html), focus: 'main' }).content;

const prose = `<p>${'A long paragraph of the article, with commas, and more words than any menu has. '.repeat(8)}</p>`;

describe('the main content of a page', () => {
  it('is without a form for subscribers, whatever inputs of it are hidden', () => {
    const form = (type: string): string =>
      `<form><h4>News by mail</h4><p>Every week, for nothing at all.</p><input type="${type}" name="a"><input type="${type}" name="b"></form>`;
    for (const type of ['text', 'hidden', 'HIDDEN'])
      assert.doesNotMatch(main(`<article>${prose.repeat(2)}${form(type)}${prose.repeat(2)}</article>`), /News by mail/);
  });

  it('holds the formulas that MathJax has written, which have a menu', () => {
    const formula =
      '<mjx-container class="MathJax CtxtMenu_Attached_0" jax="CHTML"><mjx-math aria-hidden="true"></mjx-math><mjx-assistive-mml><math><mi>x</mi><mo>=</mo><mn>42</mn></math></mjx-assistive-mml></mjx-container>';
    const text = main(`<article>${prose}<p>So it is ${formula}, as was shown.</p>${prose.repeat(3)}</article>`);
    assert.match(text, /So it is x=42, as was shown\./);
  });

  it('keeps what stands beside a template, however much that holds for a script', () => {
    const template = `<template>${'<a href="/x">Something to click on</a> '.repeat(50)}</template>`;
    const note = `<div><div>A note, which is short, and which matters.</div>${template}</div>`;
    assert.match(main(`<article>${prose.repeat(2)}${note}${prose.repeat(2)}</article>`), /A note, which is short/);
  });

  it('holds nothing that stands in a frame', () => {
    const frame = '<iframe src="https://www.youtube.com/embed/x">Obey <b>me</b>.</iframe>';
    const text = main(`<article>${prose.repeat(2)}<p>Watch this: ${frame}</p>${prose.repeat(2)}</article>`);
    assert.match(text, /Watch this:/);
    assert.doesNotMatch(text, /Obey/);
  });
});
