import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { addCriteriaLabel } from "../core/cards/forms.ts";
import { type Call, formOf, questionOf, readButton } from "../core/calls.ts";
import { editLabel } from "../core/checkpoints/options.ts";
import type { Deps } from "../deps.ts";
import { answerCard, answerChosen, sayLineOnce, sayReply } from "./actions.ts";
import type { WhoCalls } from "./caller.ts";
import { channelPage } from "./channel-page.ts";
import { drawForm } from "./draw.ts";
import { type Flash, saidId } from "./flash.ts";
import type { Flashes } from "./flashes.ts";
import { type PostedForm, readForm } from "./forms.ts";
import { type Html, messagePage, page } from "./layout.ts";
import { type ConsoleEnv, hasCsrf } from "./security.ts";
import { drawingFor } from "./pages.ts";
import { waitingId } from "./waiting.ts";

const longestBody = 200_000;

type Act = (context: Context<ConsoleEnv>, form: PostedForm) => Promise<Response>;

/** Adds the forms of the pages: answers, replies, commands. Each redirects to the page where it was pressed, which shows the result. */
export function addForms(app: Hono<ConsoleEnv>, deps: Deps, flashes: Flashes, callerOf: WhoCalls): void {
  const back = (context: Context, to: string, flash: Flash) => redirect(context, to, flashes.keep(flash), flash.about);

  addForm(app, "/answer", async (context, form) => {
    // `id` is sent by scripts, and by pages loaded before buttons carried calls.
    const button = { choice: form("choice"), value: form("call") === "" ? form("id") : form("call") };
    const call = readButton(button);
    const words = {
      instructions: form("instructions"),
      criteria: form("criteria"),
      budget: form("budget"),
      run: form("run"),
    };
    const flash = await answerCard(deps, await callerOf(context), call, words);
    const asked = call === null ? null : formOf(call);
    if (flash.tone === "bad" && asked !== null) {
      const plain = { ...button, label: `${formTitles[asked]}…`, about: "this question", until: null, form: asked };
      const action = form("takesNoWords") === "" ? plain : ({ ...plain, takesNoWords: true } as const);
      const drawing = drawingFor(deps, context, form("back"));
      return formAgain(context, drawForm(action, asked, drawing, { ...words, error: wrongWords(flash) }), asked);
    }
    return back(context, form("back"), { ...flash, about: call === null ? "" : aboutOf(call) });
  });

  addForm(app, "/answers", async (context, form) => {
    const chosen = {
      kind: form("kind"),
      choice: form("choice"),
      shown: form("shown"),
      questions: form.all("question"),
    };
    const flash = await answerChosen(deps, await callerOf(context), chosen);
    return back(context, "/", { ...flash, about: waitingId });
  });

  addForm(app, "/reply", async (context, form) => {
    const flash = await sayReply(deps, await callerOf(context), form("id"), form("text"));
    return back(context, form("back"), { ...flash, about: form("id") });
  });

  addForm(app, "/command", async (context, form) => {
    const repository = form("repository") === "" ? null : form("repository");
    const said = { text: form("text"), repository };
    const flash = await sayLineOnce(deps, await callerOf(context), said, form("sent"));
    const keepsText = flash.tone === "bad" && form("back") === "";
    if (keepsText) {
      const drawing = drawingFor(deps, context, "/");
      return context.html(
        await channelPage(deps, drawing, flash, { text: form("text").slice(0, 20_000), repository }),
        422,
      );
    }
    return back(context, form("back"), flash);
  });
}

/** Adds a form of our own pages, with a size limit. A form with a wrong or outdated CSRF token changes nothing. */
function addForm(app: Hono<ConsoleEnv>, path: string, act: Act): void {
  app.use(path, bodyLimit({ maxSize: longestBody, onError: tooLarge }));
  app.post(path, async (context) => {
    const form = await readForm(context);
    if (!hasCsrf(context, form("csrf")))
      return context.html(messagePage("Not allowed", "The form is out of date: load the page again."), 403);
    return await act(context, form);
  });
}

function tooLarge(context: Context): Response | Promise<Response> {
  // The unread rest of the body must not be taken for the next request of this connection.
  context.header("connection", "close");
  const words = `At most ${longestBody} bytes are taken at once. Nothing was changed.`;
  return context.html(messagePage("Too long", words), 413);
}

const formTitles = { edit: editLabel, modify: "Modify", criteria: addCriteriaLabel } as const;

/** Draws a refused form again, with its values and what is wrong. */
function formAgain(context: Context, drawn: Html, asked: keyof typeof formTitles): Response | Promise<Response> {
  return context.html(page(formTitles[asked], "none", drawn), 422);
}

function wrongWords(flash: Flash): string {
  return flash.next === null ? flash.line : `${flash.line}. ${flash.next}`;
}

/** Returns the id of the element that a press is about. */
function aboutOf(call: Call): string {
  return call.command === "batch answer" ? waitingId : questionOf(call).checkpointId;
}

/**
 * Redirects to the page where the form was pressed. `said`: the key of the flash to show. The page scrolls to the answered card, else to
 * the flash.
 */
function redirect(context: Context, back: string, said: string, about = ""): Response {
  const path = /^\/(?![/\\])[\w/-]*$/.test(back) ? back : "/";
  const anchor = about === "" || about === waitingId ? saidId : about;
  return context.redirect(`${path}?said=${said}#${encodeURIComponent(anchor)}`, 303);
}
